"""Facts as hypothesis draws them: any texts, any counts, keys unique within their parent."""

from hypothesis import strategies as st

from agents.wire.inventory import (
    CertificateFacts,
    DomainFacts,
    Facts,
    FindingFacts,
    HostFacts,
    MechanismFacts,
    ProviderFacts,
    SlotFacts,
    TokenFacts,
    UnitFacts,
)

# What storage changes on purpose (NUL, lone surrogates) has tests of its own.
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
keys = st.sampled_from(["a", "b", "c", "ü/1"])
counts = st.none() | st.integers(-1, 2**63 - 1)
attributes = st.dictionaries(
    st.sampled_from(["driver", "priority", "modes"]),
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | texts | st.lists(texts, max_size=2),
    max_size=2,
)
days = st.dates().map(lambda day: f"{day.isoformat()}T00:00:00+00:00")


def _unique(elements, key):  # type: ignore[no-untyped-def]
    return st.lists(elements, max_size=3, unique_by=key)


certificates = st.builds(
    CertificateFacts,
    sha256=keys,
    label=texts,
    subject=texts,
    names=st.lists(texts, max_size=2),
    not_before=st.just("") | days,
    not_after=st.just("") | days,
    key_bits=counts,
)
tokens = st.builds(
    TokenFacts,
    key=keys,
    label=texts,
    serial=texts,
    flags=st.lists(texts, max_size=2),
    is_initialised=st.booleans(),
    max_sessions=counts,
    certificates=_unique(certificates, lambda c: (c.label, c.object_id, c.sha256)),
)
mechanisms = st.builds(
    MechanismFacts,
    name=keys,
    number=st.none() | st.integers(0, 2**32),
    slot_key=st.just("") | keys,
    max_key_size=counts,
    operations=st.lists(texts, max_size=2),
    is_allowed=st.none() | st.booleans(),
    attributes=attributes,
)
slots = st.builds(
    SlotFacts, key=keys, slot_id=st.integers(0, 2**63 - 1), token=st.none() | tokens, error=texts
)
providers = st.builds(
    ProviderFacts,
    key=keys,
    kind=texts,
    name=texts,
    is_thread_safe=st.none() | st.booleans(),
    attributes=attributes,
    slots=_unique(slots, lambda slot: slot.key),
    mechanisms=_unique(mechanisms, lambda m: (m.name, m.number, m.slot_key)),
)
units = st.builds(
    UnitFacts,
    key=keys,
    kind=texts,
    name=texts,
    domain_key=st.none() | keys,
    features=st.lists(texts, max_size=2),
    attributes=attributes,
)
domains = st.builds(DomainFacts, key=keys, name=texts, kind=texts, attributes=attributes)
findings = st.builds(
    FindingFacts, code=keys, severity=keys, subject_kind=keys, subject_key=keys, message=texts
)
facts = st.builds(
    Facts,
    host=st.builds(HostFacts, hostname=texts, platform=texts, memory_bytes=st.integers(0, 2**50)),
    units=_unique(units, lambda unit: unit.key),
    domains=_unique(domains, lambda domain: domain.key),
    providers=_unique(providers, lambda provider: provider.key),
    findings=_unique(findings, lambda f: (f.code, f.subject_kind, f.subject_key)),
    settings=attributes,
)
