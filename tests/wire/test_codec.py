"""The codec: round trips, unknown fields and words, errors that name the path, versions."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.wire import WIRE_VERSION
from agents.wire import inventory as i
from agents.wire import messages as m
from agents.wire import work as w
from agents.wire.codec import (
    UnsupportedWire,
    WireError,
    check_wire,
    decode,
    encode,
    facts_digest,
    from_plain,
    to_plain,
)
from tests.wire import cast

_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _FINITE | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
_OBJECT = st.dictionaries(st.text(), _JSON, max_size=3)
st.register_type_strategy(float, _FINITE)
st.register_type_strategy(
    w.WorkOrder,
    st.builds(
        w.WorkOrder,
        **{name: st.text() for name in ("work_id", "kind", "lane", "nonce")},
        parameters=_OBJECT,
        lease_seconds=st.integers(),
        deadline_seconds=st.integers(),
    ),
)
st.register_type_strategy(
    w.Report,
    st.builds(
        w.Report,
        seq=st.integers(),
        **{name: st.text() for name in ("kind", "work_id", "nonce", "at", "stream", "text")},
        chunk=st.none() | st.integers(),
        progress=_OBJECT,
        sample=st.none() | st.from_type(w.SampleData),
        outcome=st.text(),
        message=st.text(),
        result=_OBJECT,
    ),
)
ANY_MESSAGE = st.one_of(*(st.from_type(type(message)) for message in cast.messages().values())).map(
    lambda message: message
)


def is_of_this_version(message: Any) -> Any:
    plain = to_plain(message)
    return from_plain({**plain, "wire": WIRE_VERSION}, type(message))


@given(ANY_MESSAGE.map(is_of_this_version))
def test_every_message_survives_encoding_and_decoding(message: Any) -> None:
    assert decode(encode(message), type(message)) == message


@given(st.from_type(i.Facts))
def test_equal_facts_have_equal_digests_after_the_wire(facts: i.Facts) -> None:
    assert facts_digest(from_plain(json.loads(json.dumps(to_plain(facts))), i.Facts)) == (
        facts_digest(facts)
    )


@given(st.from_type(i.UnitFacts), st.from_type(i.UnitFacts))
def test_different_facts_have_different_digests(one: i.UnitFacts, two: i.UnitFacts) -> None:
    host = i.HostFacts(hostname="h", platform="linux")
    digests = {facts_digest(i.Facts(host=host, units=[unit])) for unit in (one, two)}
    assert len(digests) == (1 if to_plain(one) == to_plain(two) else 2)


@given(st.binary(max_size=200))
def test_rubbish_is_a_wire_error_and_never_anything_else(body: bytes) -> None:
    with pytest.raises(WireError):
        decode(body, m.SnapshotRequest)


def test_unknown_fields_are_ignored_at_every_depth() -> None:
    plain = to_plain(cast.messages()["SnapshotRequest"])
    newer = copy.deepcopy(plain)
    newer["colour"] = "red"
    newer["facts"]["host"]["shoe_size"] = 44
    newer["facts"]["providers"][0]["slots"][0]["token"]["mood"] = ["good"]
    assert from_plain(newer, m.SnapshotRequest) == from_plain(plain, m.SnapshotRequest)


def test_unknown_words_of_an_enum_are_kept_as_they_came() -> None:
    unit = from_plain({"key": "k", "kind": "quantum_engine", "name": "n"}, i.UnitFacts)
    assert unit.kind == "quantum_engine"
    plain = {**to_plain(cast.order()), "kind": "unit.assign"}
    assert from_plain(plain, w.WorkOrder).kind == "unit.assign"


def test_fields_that_an_older_side_does_not_know_have_defaults() -> None:
    reply = decode(b'{"wire":"1.0"}', m.HeartbeatReply)
    assert (reply.heartbeat_seconds, reply.due, reply.wants_snapshot) == (15, {}, False)


def broken(path: list[Any], value: Any) -> Any:
    plain = copy.deepcopy(to_plain(cast.messages()["SnapshotRequest"]))
    place = plain
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return plain


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        (["digest"], 7, "digest: "),
        (["duration_seconds"], "long", "duration_seconds: "),
        (["facts", "units", 0, "kind"], 3, "facts.units[0].kind: "),
        (["facts", "units", 0, "is_assignable"], 1, "facts.units[0].is_assignable: "),
        (["facts", "units", 0, "attributes", "x"], {}, "facts.units[0].attributes['x']: "),
        (["facts", "host", "cpu_count"], True, "facts.host.cpu_count: "),
        (["facts", "host", "platform"], None, "facts.host.platform: required field missing"),
        (["facts", "providers", 0, "slots", 0, "slot_id"], "0", "facts.providers[0].slots[0]."),
    ],
)
def test_what_does_not_fit_is_named_by_its_path(path: list[Any], value: Any, problem: str) -> None:
    with pytest.raises(WireError) as caught:
        from_plain(broken(path, value), m.SnapshotRequest)
    (line,) = caught.value.problems
    assert line.startswith(problem)


def test_several_problems_are_all_named() -> None:
    plain = broken(["digest"], 7)
    plain["facts"]["host"]["hostname"] = []
    with pytest.raises(WireError) as caught:
        from_plain(plain, m.SnapshotRequest)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize("wire", ["1.0", "1.7", "1", "0.9"])
def test_this_major_version_and_the_one_before_are_understood(wire: str) -> None:
    check_wire(wire)


@pytest.mark.parametrize(
    "wire", ["2.0", "", None, "x.1", "-1.0", "١.0", 2, 1e9, [], "11.0", "9" * 5000]
)
def test_other_versions_are_refused_with_what_to_do(wire: Any) -> None:
    with pytest.raises(UnsupportedWire, match="upgrade the older side"):
        check_wire(wire)


@pytest.mark.parametrize("body", [b"", b"[]", b"1", b"null", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_no_object_is_said(body: bytes) -> None:
    with pytest.raises(WireError, match=r"\$: "):
        decode(body, m.ClaimRequest)


def test_text_that_is_no_unicode_arrives_as_it_was() -> None:
    request = m.ClaimRequest(lane="work", nonce="caf\udce9")
    assert decode(encode(request), m.ClaimRequest) == request


def test_a_whole_number_where_a_fraction_may_stand_is_accepted() -> None:
    gauge = from_plain({"name": "n", "subject_key": "", "value": 3}, i.Gauge)
    assert isinstance(gauge.value, float)


def test_the_digest_does_not_depend_on_the_order_of_keys() -> None:
    def facts(settings: dict[str, Any]) -> i.Facts:
        return i.Facts(host=i.HostFacts(hostname="h", platform="linux"), settings=settings)

    assert facts_digest(facts({"a": 1, "b": 2})) == facts_digest(facts({"b": 2, "a": 1}))
