"""Everything `ldm` prints. Text, `-p` and `-x` give the same facts; each form is told by itself.

Every function raises UnexpectedOutput, and only that, where the output is not ldm's (or is an
error message); lines that no rule fits are returned as `unread`, and unknown sections are kept.
"""

from dataclasses import replace

from agents.parsers.solaris import ldm_parseable, ldm_table, ldm_xml
from agents.parsers.solaris.ldm_facts import LdmDevices, LdmListing
from agents.parsers.solaris.ldm_records import is_parseable
from agents.parsers.solaris.ldm_words import (
    notices_among,
    parse_ldm_notices,
    parse_ldm_spconfigs,
    parse_ldm_version,
)
from agents.parsers.solaris.text import lines_of, require_found

__all__ = (
    "parse_ldm_devices",
    "parse_ldm_listing",
    "parse_ldm_notices",
    "parse_ldm_spconfigs",
    "parse_ldm_version",
)


def parse_ldm_listing(text: str) -> LdmListing:
    """Read `ldm list`, `list -l`, `list -o …`, `list-bindings` or `list-constraints`.

    Rows above the first domain of a capture belong to a domain without a name.
    """
    if ldm_xml.is_xml(text):
        found = ldm_xml.constraints_of(text)
    elif is_parseable(text):
        found = ldm_parseable.listing_of(text)
    else:
        found = ldm_table.listing_of(text)
    require_found(found.domains or found.version, lines_of(text))
    notices, unread = notices_among(found.unread)
    return replace(found, notices=tuple(notices), unread=tuple(unread))


def parse_ldm_devices(text: str) -> LdmDevices:
    """Read `ldm list-devices`, with `-a` or without."""
    reads = ldm_parseable.devices_of if is_parseable(text) else ldm_table.devices_of
    found = reads(text)
    groups = (found.vcpus, found.cores, found.units, found.memory, found.sections, found.version)
    require_found(any(groups), lines_of(text))
    return found
