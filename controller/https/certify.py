"""Makes and reads certificates, in a process of its own: what somebody brought is read here alone, within limits.

Whoever plays with plain http needs neither this process nor the package it uses.
"""

from __future__ import annotations

import ipaddress
import re
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from controller.https.jobs import Asked, Issue, Job, LookAtPem, MadeCertificate, MakeAuthority, Wrong
from controller.limited_process import answering
from controller.typed import ready

if TYPE_CHECKING:
    from cryptography import x509

MOST_CERTIFICATES = 8  # a chain has three
LEAST_RSA_BITS = 2048
CURVES = ("secp256r1", "secp384r1")  # what every browser takes
AUTHORITY_BEGINS = datetime(2026, 1, 1, tzinfo=UTC)  # fixed: the clock of a board may be behind that of the phones
PART = re.compile(r"-----BEGIN ([A-Z0-9 ]{1,40})-----.*?-----END \1-----", re.DOTALL)


def done(job: Job) -> MadeCertificate:
    """Return what comes of ``job``."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        return MadeCertificate("missing")
    if isinstance(job, MakeAuthority):
        return _authority(job)
    return _issued(job) if isinstance(job, Issue) else _looked(job)


# ---- the board's own ----


def _authority(job: MakeAuthority) -> MadeCertificate:
    """Make the authority that phones trust, and what issues in its name: that alone has a key afterwards.

    Some devices keep no authority that they were told to trust to the bounds that stand in it, but all keep one below
    it to them. So the key above is thrown away: nobody can ever issue anything past those bounds.
    """
    from cryptography import x509

    networks = (x509.IPAddress(ipaddress.ip_network(network)) for network in job.networks)
    bounds = x509.NameConstraints([*map(x509.DNSName, job.names), *networks], None)
    ends = datetime.fromtimestamp(job.ends, UTC)

    def signed(title: str, key: Any, below: int, by: Any) -> x509.Certificate:
        made: x509.Certificate = (
            _begun(title, job.title, key, AUTHORITY_BEGINS, ends)
            .add_extension(x509.BasicConstraints(ca=True, path_length=below), critical=True)
            .add_extension(_usage(authority=True), critical=True)
            .add_extension(bounds, critical=True)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), critical=False)
            .sign(by, _sha256())
        )
        return made

    thrown_away, kept = _fresh_key(), _fresh_key()
    trusted = signed(job.title, thrown_away, 1, thrown_away)
    issuer = signed(f"Issuer of {job.title}", kept, 0, thrown_away)
    written = _written(kept, issuer, trusted)
    return MadeCertificate("", written.pem, _der(trusted), begins=written.begins, ends=written.ends)


def _issued(job: Issue) -> MadeCertificate:
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    held = job.authority.encode()
    by, authority = load_pem_private_key(held, None), x509.load_pem_x509_certificate(held)
    key = _fresh_key()
    names = [*map(x509.DNSName, job.names), *(x509.IPAddress(ipaddress.ip_address(each)) for each in job.addresses)]
    begins, ends = (datetime.fromtimestamp(each, UTC) for each in (job.begins, job.ends))
    title = authority.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)[0].value
    made = (
        _begun((*job.names, *job.addresses)[0], title, key, begins, min(ends, authority.not_valid_after_utc))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(by.public_key()), critical=False)
        .sign(by, _sha256())
    )
    return _written(key, made, authority)


def _begun(title: str, issuer: str, key: Any, begins: datetime, ends: datetime) -> Any:
    from cryptography import x509

    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text[:64])])

    return (
        x509.CertificateBuilder()
        .subject_name(named(title))
        .issuer_name(named(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(authority: bool) -> Any:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=not authority, key_cert_sign=authority, crl_sign=authority, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _fresh_key() -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


def _sha256() -> Any:
    from cryptography.hazmat.primitives.hashes import SHA256

    return SHA256()


# ---- what somebody brought ----


class Unusable(Exception):
    """No key that can be served; ``wrong`` says why."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong)
        self.wrong = wrong


def _looked(job: LookAtPem) -> MadeCertificate:
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm

    try:
        certificates, key = _certificates(job.pem), _key(job.pem)
        own = next((each for each in certificates if _public(each.public_key()) == _public(key.public_key())), None)
        if own is None:
            return MadeCertificate("apart" if certificates else "no certificate")
        told = _written(key, own, *_chain(own, [each for each in certificates if each != own]))
        wrong = _wrong_with(own, told, job.now)
    except Unusable as unusable:
        return MadeCertificate(unusable.wrong)
    except (ValueError, UnsupportedAlgorithm, x509.DuplicateExtension):
        return MadeCertificate("unreadable")
    return MadeCertificate(wrong, begins=told.begins, ends=told.ends) if wrong else told


def _certificates(pem: str) -> list[x509.Certificate]:
    from cryptography import x509

    found = [part[0] for part in PART.finditer(pem) if part[1] in ("CERTIFICATE", "X509 CERTIFICATE")]
    if len(found) > MOST_CERTIFICATES:
        raise ValueError("too many certificates")
    return [x509.load_pem_x509_certificate(each.encode()) for each in found]


def _key(pem: str) -> Any:
    """Return the private key. Raises `Unusable`, and ValueError where it cannot be read."""
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    found = [part[0] for part in PART.finditer(pem) if part[1].endswith("PRIVATE KEY")]
    if not found:
        raise Unusable("no key")
    if "ENCRYPTED" in found[0]:
        raise Unusable("locked key")
    key = load_pem_private_key(found[0].encode(), None)
    of_rsa = isinstance(key, rsa.RSAPrivateKey) and key.key_size >= LEAST_RSA_BITS
    if not of_rsa and not (isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name in CURVES):
        raise Unusable("weak key")
    return key


def _wrong_with(own: x509.Certificate, told: MadeCertificate, now: int) -> Wrong:
    from cryptography import x509

    if now >= told.ends:
        return "late"
    if now < told.begins:
        return "early"
    if not told.names:
        return "no names"
    try:
        uses = own.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    except x509.ExtensionNotFound:
        return ""
    return "" if x509.ExtendedKeyUsageOID.SERVER_AUTH in uses else "purpose"


def _chain(own: x509.Certificate, others: list[x509.Certificate]) -> list[x509.Certificate]:
    """Return those of ``others`` that lead from ``own`` upwards, in the order in which they are served."""
    chain, last = [], own
    while above := next((each for each in others if each.subject == last.issuer), None):
        chain.append(above)
        others = [each for each in others if each != above]
        last = above
    return chain


def _public(key: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    found: bytes = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return found


def _written(key: Any, own: x509.Certificate, *chain: x509.Certificate) -> MadeCertificate:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    pem = b"".join([secret, *(each.public_bytes(Encoding.PEM) for each in (own, *chain))])
    begins, ends = (int(each.timestamp()) for each in (own.not_valid_before_utc, own.not_valid_after_utc))
    return MadeCertificate("", pem.decode(), _der(own), _names(own), begins, ends)


def _der(certificate: x509.Certificate) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    found: bytes = certificate.public_bytes(Encoding.DER)
    return found


def _names(own: x509.Certificate) -> tuple[str, ...]:
    from cryptography import x509

    try:
        found = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    names = found.get_values_for_type(x509.DNSName)
    return (*(name.lower() for name in names), *map(str, found.get_values_for_type(x509.IPAddress)))


# ---- within the process ----


def _answer(given: bytes) -> bytes:
    return msgspec.json.encode(done(msgspec.json.decode(given, type=ready(Asked)).job))


if __name__ == "__main__":
    raise SystemExit(answering(sys.argv[1], _answer))
