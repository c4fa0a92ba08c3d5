"""What kinds of change are called, and one sentence on each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KindWords:
    """A kind of change in words."""

    name: str
    title: str
    sentence: str


KINDS: tuple[KindWords, ...] = (
    KindWords(
        "unit.assign", "Assign crypto units", "Which logical domain has how many crypto units."
    ),
    KindWords(
        "metaslot.enable", "Enable metaslot", "One virtual slot in front of all tokens is offered."
    ),
    KindWords("metaslot.disable", "Disable metaslot", "Applications see the real slots again."),
    KindWords(
        "metaslot.configure",
        "Configure metaslot",
        "Its token, slot, automatic key migration and mechanisms; this also turns it on.",
    ),
    KindWords(
        "mechanism.policy",
        "Mechanism policy",
        "Which mechanisms of a provider applications may use, and whether its random numbers.",
    ),
    KindWords("provider.install", "Install provider", "Make a provider known to the framework."),
    KindWords("provider.uninstall", "Uninstall provider", "Make the framework forget a provider."),
    KindWords("provider.unload", "Unload provider", "Unload a kernel software provider."),
    KindWords("provider.enable", "Enable module", "Offer a PKCS#11 module through p11-kit."),
    KindWords("provider.disable", "Disable module", "Hide a PKCS#11 module from p11-kit."),
    KindWords(
        "spconfig.save",
        "Save configuration",
        "Keep the domains' configuration on the service processor, over a power cycle.",
    ),
    KindWords(
        "reconf.cancel", "Cancel reconfiguration", "Drop a delayed reconfiguration that waits."
    ),
    KindWords("driver.configure", "Configure driver", "Settings in a driver's .conf file."),
)
"""All kinds, in the order in which they are offered."""

_TITLES = {kind.name: kind.title for kind in KINDS}


def kind_title(name: str) -> str:
    """Return a kind's title; its name where it is unknown."""
    return _TITLES.get(name, name)
