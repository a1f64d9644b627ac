"""Requests about the right to command."""

from __future__ import annotations

import msgspec
import numpy as np

from telecell.control.core import Core
from telecell.control.grants import Held, Mask, validate_name, validate_parts
from telecell.errors import AxisBusy, NotHolder, UnknownName
from telecell.messages import Grant, granting
from telecell.messages.replies import Done, Granted, GrantEntry, GrantsListed, Waiting, WaitingEntry

MAX_REASON = 200


def _acquire(core: Core, request: granting.Acquire) -> Granted | Waiting:
    grants, now_s = core.grants, core.ticks.now_s
    request = msgspec.structs.replace(request, holder=validate_name(request.holder))
    mask = core.find_mask(request.axes)
    age_s = grants.validate_age(request, core.ticks)
    obstacle = _find_obstacle(core, request, mask)
    if obstacle is None:
        held = grants.give(request, mask, now_s, age_s)
        core.note_grant("acquired", held, f"asked for by {held.holder}", request.origin)
        return Granted(request.sequence, (_describe(core, held),))
    if not request.wait:
        raise obstacle
    waiter, joined = grants.waiting.keep(request, mask, now_s)
    if joined:
        core.note_grant("queued", waiter, str(obstacle), request.origin)
    return Waiting(request.sequence, grants.waiting.get_place(waiter), str(obstacle))


def _find_obstacle(core: Core, request: granting.Acquire, mask: Mask) -> NotHolder | None:
    """Why the axes cannot be had at this moment; it is no use waiting for what the sender has itself.

    Raises:
        NotHolder: the sender has one of the axes.
    """
    taken = core.grants.find_overlapping(mask)
    for held in taken:
        if held.sender == request.sender:
            raise NotHolder(
                "the sender has control already",
                where=f"holder {held.holder}",
                value=request.holder,
                remedy="Use the grant that it has, or give it back first.",
            )
    if taken:
        return NotHolder(
            "somebody else has control",
            where=f"holder {taken[0].holder}",
            value=request.holder,
            remedy="Wait for it, ask for a hand-over, or have a supervisor take it back.",
        )
    before = core.grants.waiting.find_before(request.sender, request.priority, mask)
    if before is not None:
        where = f"{before.holder} comes next"
        return NotHolder("somebody waits already", where=where, value=request.holder, remedy="Wait, too.")
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
    held.trips.note(now_s, core.grants.validate_age(request, core.ticks, held), request.sequence)
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
    joined = [core.grants.get(request)]
    for grant in request.others:
        other = core.grants.find(grant)
        if other is None or other.sender != joined[0].sender or other.source != joined[0].source or other in joined:
            raise NotHolder(
                "not another grant of the same holder", value=grant.tenure, remedy="Merge what the sender itself holds."
            )
        joined.append(other)
    return _regroup(core, request, joined, [np.any([held.mask for held in joined], axis=0)], "merged")


def _regroup(
    core: Core, request: granting.SplitGrant | granting.MergeGrants, old: list[Held], masks: list[Mask], change: str
) -> Granted:
    numbers = ", ".join(str(held.tenure) for held in old)
    new = core.grants.regroup(old, masks, core.ticks.now_s)
    for held in new:
        core.note_grant(change, held, f"{change} from grant {numbers} by {held.holder}", request.origin)
    return Granted(request.sequence, tuple(_describe(core, held) for held in new))


def _hand_over(core: Core, request: granting.HandOver) -> Done:
    held = core.grants.get(request)
    waiting = core.grants.waiting.list_for(held.mask)
    chosen = next((waiter for waiter in waiting if waiter.holder == request.to), None)
    if chosen is None:
        raise UnknownName("one who waits for these axes", request.to, [waiter.holder for waiter in waiting])
    core.grants.waiting.reserve(chosen)
    core.end_grant(held, "handed_over", f"handed over by {held.holder} to {chosen.holder}", request.origin)
    return Done(request.sequence)


def _take_back(core: Core, request: granting.TakeBack) -> Done:
    author, mask = validate_name(request.author), core.find_mask(request.axes)
    taken = core.grants.find_overlapping(mask)
    for held in taken:
        reason = f"taken back by {author}: {request.reason[:MAX_REASON]}"
        core.end_grant(held, "taken_back", reason, request.origin)
    if taken:
        displaced = core.grants.waiting.put_first(author, request.sender, mask, core.ticks.now_s)
        if displaced is not None:
            core.note_grant("left", displaced, f"no room beside {author}", request.origin)
    return Done(request.sequence)


def _list_grants(core: Core, request: granting.ListGrants) -> GrantsListed:
    now_s = core.ticks.now_s
    waiting = [
        WaitingEntry(waiter.holder, core.axes.get_names(waiter.mask), waiter.priority, now_s - waiter.since_s)
        for waiter in core.grants.waiting
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
