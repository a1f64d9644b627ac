#!/bin/sh
# What the tests need beyond Python packages: a browser, and OpenGL for pictures without a display.
# Installs what is missing where that is permitted; otherwise says what to install, and those tests are skipped.

PATH="$PATH:/usr/sbin:/sbin"
missing=""
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing="chromium"
ldconfig -p 2>/dev/null | grep -q 'libEGL\.so\.1' || missing="$missing libegl1 libgl1-mesa-dri"
[ -z "$missing" ] && exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing for the tests: $missing"
  if apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null; then
    exit 0
  fi
fi
echo "Not on this machine: $missing. The tests that need them are skipped."
echo "On Debian or Ubuntu: sudo apt-get install $missing"
