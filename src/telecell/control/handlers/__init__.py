"""One function per request: it changes the core and answers, or raises and changes nothing."""
