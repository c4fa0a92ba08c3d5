"""What the probe tells of real tokens: SoftHSM with a private configuration, both bindings."""

from dataclasses import replace
from typing import Any

from agents.config import PinReference
from agents.pkcs11.report import module_report
from agents.wire.codec import to_plain


def test_library_slots_and_tokens_are_described(softhsm: Any, binding: str) -> None:
    provider = softhsm.look(softhsm.module, binding=binding).report.provider
    assert provider.manufacturer == "SoftHSM"
    assert provider.description == "Implementation of PKCS11"
    assert (provider.version, provider.cryptoki_version) == ("2.6", "2.40")
    assert provider.is_thread_safe is True
    labels = sorted(slot.token.label for slot in provider.slots if slot.token)
    assert labels == ["", "alpha", "beta"]


def test_a_token_is_spelled_out(softhsm: Any, binding: str) -> None:
    token = softhsm.look(softhsm.module, binding=binding).token("alpha")
    assert token.model == "SoftHSM v2"
    assert token.flags == [
        "RNG",
        "LOGIN_REQUIRED",
        "USER_PIN_INITIALIZED",
        "RESTORE_KEY_NOT_NEEDED",
        "TOKEN_INITIALIZED",
    ]
    assert (token.user_pin_state, token.so_pin_state) == ("ok", "ok")
    assert (token.min_pin_length, token.max_pin_length) == (4, 255)
    assert len(token.serial) == 16


def test_the_uninitialised_slot_is_no_fault(softhsm: Any, binding: str) -> None:
    look = softhsm.look(softhsm.module, binding=binding)
    spare = look.token("")
    assert not spare.is_initialised
    assert (spare.user_pin_state, spare.so_pin_state) == ("not_initialised", "not_initialised")
    assert "SO_PIN_LOCKED" in spare.flags
    assert look.codes == []


def test_one_wrong_pin_is_told_in_words(softhsm: Any, binding: str) -> None:
    wrong = {"do": "login", "label": "beta", "pin": f"x{softhsm.pin}"}
    assert softhsm.administer(wrong) == ["CKR_PIN_INCORRECT"]
    look = softhsm.look(softhsm.module, binding=binding)
    assert look.token("beta").user_pin_state == "count_low"
    assert look.token("alpha").user_pin_state == "ok"


def test_mechanisms_have_numbers_sizes_and_operations(softhsm: Any, binding: str) -> None:
    look = softhsm.look(softhsm.module, binding=binding)
    rsa = look.mechanism("CKM_RSA_PKCS")
    assert (rsa.number, rsa.min_key_size, rsa.max_key_size, rsa.key_size_unit) == (
        *(1, 512, 16384),
        "bits",
    )
    assert rsa.operations == ["encrypt", "decrypt", "sign", "verify", "wrap", "unwrap"]
    aes = look.mechanism("CKM_AES_CBC")
    assert (aes.min_key_size, aes.max_key_size, aes.key_size_unit) == (16, 32, "bytes")
    assert not aes.is_hardware
    assert len(look.report.provider.mechanisms) == 70


def test_public_objects_are_counted_and_private_ones_stay_private(
    softhsm: Any, binding: str
) -> None:
    look = softhsm.look(softhsm.module, binding=binding)
    assert look.token("alpha").public_objects == {"certificate": 1}
    assert look.token("beta").public_objects == {}


def test_a_certificate_in_the_open_is_decoded(
    softhsm: Any, binding: str, only_certificate: Any
) -> None:
    certificate = only_certificate(softhsm.look(softhsm.module, binding=binding).token("alpha"))
    assert certificate.error == ""
    assert certificate.subject == "CN=www.example.org,OU=Tests+UID=7,O=Example\\, Ltd.,C=DE"
    assert certificate.names == ["www.example.org", "example.org", "192.0.2.7"]
    assert (certificate.key_type, certificate.key_bits) == ("ec", 256)


def test_a_trust_store_is_counted_not_listed(softhsm: Any) -> None:
    token = softhsm.look(softhsm.module, has_certificates=False).token("alpha")
    assert token.public_objects == {"certificate": 1}
    assert token.certificates == []


def test_a_token_keeps_its_key_and_a_new_one_gets_its_own(softhsm: Any) -> None:
    before = softhsm.look(softhsm.module).token("alpha").key
    pins = {"pin": softhsm.pin, "so_pin": softhsm.so_pin}
    assert softhsm.administer({"do": "initialise", "label": "gamma", **pins}) == ["ok"]
    look = softhsm.look(softhsm.module)
    assert look.token("alpha").key == before
    keys = [slot.key for slot in look.report.provider.slots]
    assert len(set(keys)) == len(keys) == 4


def test_the_spare_slot_keeps_its_key_when_its_number_changes(softhsm: Any) -> None:
    before = softhsm.look(softhsm.module)
    pins = {"pin": softhsm.pin, "so_pin": softhsm.so_pin}
    softhsm.administer({"do": "initialise", "label": "gamma", **pins})
    after = softhsm.look(softhsm.module)
    assert before.token("").key == after.token("").key
    numbers = [{i for i, s in look.slots.items() if not s.token.label} for look in (before, after)]
    assert numbers[0] != numbers[1]


def test_two_looks_are_equal(softhsm: Any) -> None:
    first, second = (softhsm.look(softhsm.module).report for _ in range(2))
    assert to_plain(first.provider) == to_plain(second.provider)
    assert first.findings == second.findings == []


def test_both_bindings_tell_the_same(softhsm: Any) -> None:
    looks = [softhsm.look(softhsm.module, binding=b) for b in ("pykcs11", "ctypes")]
    assert to_plain(looks[0].report.provider) == to_plain(looks[1].report.provider)


def test_a_pin_source_is_told_by_label_or_serial_only(softhsm: Any) -> None:
    look = softhsm.look(softhsm.module)
    alpha = look.token("alpha")
    by_label = PinReference(token="alpha", source="file:/etc/keyrack/alpha.pin")
    by_serial = replace(by_label, token="", serial=alpha.serial)
    for pin, expected in (
        (by_label, True),
        (by_serial, True),
        (replace(by_label, serial="0"), False),
    ):
        provider = module_report(look.registration, look.outcome, [pin]).provider
        tokens = [slot.token for slot in provider.slots if slot.token]
        assert [t.has_pin_source for t in tokens if t.label == "alpha"] == [expected]
        assert not any(t.has_pin_source for t in tokens if t.label != "alpha")
