"""Requests about the right to command."""

from __future__ import annotations

import numpy as np

from telecell.control.core import Core
from telecell.control.grants import Held, Mask, validate_parts
from telecell.errors import AxisBusy, NotHolder, UnknownName
from telecell.messages import Grant, granting
from telecell.messages.replies import Done, Granted, GrantEntry, GrantsListed, Waiting, WaitingEntry

MAX_REASON = 200


def _acquire(core: Core, request: granting.Acquire) -> Granted | Waiting:
    grants, now_s = core.grants, core.ticks.now_s
    grants.validate_name(request.holder)
    mask = core.find_mask(request.axes)
    age_s = grants.validate_age(request, core.ticks)
    obstacle = _find_obstacle(core, request, mask)
    if obstacle is None:
        held = grants.give(request, mask, now_s, age_s)
        core.note_grant("acquired", held, f"asked for by {held.holder}", request.origin)
        return Granted(request.sequence, (_describe(core, held),))
    if not request.wait:
        raise obstacle
    waiter, joined = grants.wait(request, mask, now_s)
    if joined:
        core.note_grant("queued", waiter, str(obstacle), request.origin)
    return Waiting(request.sequence, grants.list_waiting().index(waiter) + 1, str(obstacle))


def _find_obstacle(core: Core, request: granting.Acquire, mask: Mask) -> NotHolder | None:
    """Why the axes cannot be had at this moment."""
    name, grants = request.holder.strip(), core.grants
    for held in grants.find_overlapping(mask):
        if held.sender == request.sender:
            raise NotHolder(
                "the sender has control already",
                where=f"holder {held.holder}",
                value=name,
                remedy="Use the grant that it has, or give it back first.",
            )
        return NotHolder(
            "somebody else has control",
            where=f"holder {held.holder}",
            value=name,
            remedy="Wait for it, ask for a hand-over, or have a supervisor take it back.",
        )
    before = grants.find_before(request.sender, request.priority, mask)
    if before is not None:
        return NotHolder("somebody waits already", where=f"{before.holder} comes next", value=name, remedy="Wait, too.")
    moving = next((arm for arm in core.arms.values() if arm.motion.active and (arm.mask & mask).any()), None)
    if moving is not None:
        return NotHolder("the robot is still coming to rest", where=f"robot {moving.name}", remedy="Ask again.")
    return None


def _describe(core: Core, held: Held) -> GrantEntry:
    return GrantEntry(
        Grant(core.grants.epoch, held.tenure),
        held.holder,
        core.axes.get_names(held.mask),
        core.grants.profile.lease_s if held.rules.leased else None,
        held.rules.silence_s,
    )


def _renew_grant(core: Core, request: granting.RenewGrant) -> Done:
    held, now_s = core.grants.get(request), core.ticks.now_s
    held.renewed_s = now_s
    if request.attending:
        held.heard_s = now_s
    if request.echo is not None:
        held.trips.note(now_s, core.ticks.compute_age_s(request.echo), request.sequence)
    return Done(request.sequence)


def _release_grant(core: Core, request: granting.ReleaseGrant) -> Done:
    held = core.grants.get(request)
    core.end_grant(held, "released", f"given back by {held.holder}", request.origin)
    return Done(request.sequence)


def _split_grant(core: Core, request: granting.SplitGrant) -> Granted:
    held = core.grants.get(request)
    masks = [core.find_mask(part) if part else np.zeros_like(held.mask) for part in request.parts]
    validate_parts(held.mask, masks)
    for arm in core.arms.values():
        if arm.motion.active and sum((arm.mask & mask).any() for mask in masks) > 1:
            raise AxisBusy(
                "the robot moves and would be in two parts", where=f"robot {arm.name}", remedy="Wait, or halt."
            )
    return _regroup(core, request, [held], masks, "split")


def _merge_grants(core: Core, request: granting.MergeGrants) -> Granted:
    held = core.grants.get(request)
    joined = [held]
    for grant in request.others:
        other = core.grants.held.get(grant.tenure) if grant.epoch == core.grants.epoch else None
        if other is None or other.sender != held.sender or other.source != held.source or other in joined:
            raise NotHolder(
                "not another grant of the same holder", value=grant.tenure, remedy="Merge what the sender itself holds."
            )
        joined.append(other)
    return _regroup(core, request, joined, [np.any([one.mask for one in joined], axis=0)], "merged")


def _regroup(
    core: Core, request: granting.SplitGrant | granting.MergeGrants, old: list[Held], masks: list[Mask], change: str
) -> Granted:
    numbers = ", ".join(str(held.tenure) for held in old)
    new = core.grants.regroup(old, masks)
    for held in new:
        held.hear(core.ticks.now_s)
        core.note_grant(change, held, f"{CHANGED[change]} grant {numbers} by {held.holder}", request.origin)
    return Granted(request.sequence, tuple(_describe(core, held) for held in new))


CHANGED = {"split": "split from", "merged": "merged from"}


def _hand_over(core: Core, request: granting.HandOver) -> Done:
    held = core.grants.get(request)
    waiting = [waiter for waiter in core.grants.list_waiting() if (waiter.mask & held.mask).any()]
    wanted = next((waiter for waiter in waiting if waiter.holder == request.to), None)
    if wanted is None:
        raise UnknownName("one who waits for these axes", request.to, [waiter.holder for waiter in waiting])
    core.grants.reserve(wanted.holder, wanted.sender, held.mask, core.ticks.now_s)
    core.end_grant(held, "handed_over", f"handed over by {held.holder} to {wanted.holder}", request.origin)
    return Done(request.sequence)


def _take_back(core: Core, request: granting.TakeBack) -> Done:
    author = core.grants.validate_name(request.author)
    mask = core.find_mask(request.axes)
    taken = core.grants.find_overlapping(mask)
    if taken:
        core.grants.reserve(author, request.sender, mask, core.ticks.now_s)
    for held in taken:
        reason = f"taken back by {author}: {request.reason[:MAX_REASON]}"
        core.end_grant(held, "taken_back", reason, request.origin)
    return Done(request.sequence)


def _list_grants(core: Core, request: granting.ListGrants) -> GrantsListed:
    now_s = core.ticks.now_s
    waiting = [
        WaitingEntry(waiter.holder, core.axes.get_names(waiter.mask), waiter.priority, now_s - waiter.since_s)
        for waiter in core.grants.list_waiting()
    ]
    return GrantsListed(request.sequence, core.report_grants(), tuple(waiting), tuple(core.grant_history))


HANDLERS = {
    granting.Acquire: _acquire,
    granting.RenewGrant: _renew_grant,
    granting.ReleaseGrant: _release_grant,
    granting.SplitGrant: _split_grant,
    granting.MergeGrants: _merge_grants,
    granting.HandOver: _hand_over,
    granting.TakeBack: _take_back,
    granting.ListGrants: _list_grants,
}
