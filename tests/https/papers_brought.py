"""Certificates as somebody brings them: good ones, and each kind of wrong one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

NOW = datetime.now(UTC).replace(microsecond=0)  # what checks a certificate goes by the real clock
NAME = "board.example"


def fresh_key(curve: ec.EllipticCurve | None = None) -> Any:
    return ec.generate_private_key(curve or ec.SECP256R1())


def weak_key() -> Any:
    return rsa.generate_private_key(65537, 1024)


def pem_of(key: Any, password: str = "") -> str:
    locked: KeySerializationEncryption = BestAvailableEncryption(password.encode()) if password else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked).decode()


class Issuer:
    """An authority elsewhere, and what is between it and the certificates."""

    def __init__(self) -> None:
        self._root, self._between = fresh_key(), fresh_key()
        self.root = self._certificate("root", self._root, "root", self._root, authority=True)
        self.between = self._certificate("between", self._between, "root", self._root, authority=True)

    def certificate(
        self, key: Any, names: tuple[str, ...] = (NAME,), begins: datetime = NOW - timedelta(days=1), days: int = 90,
        use: x509.ObjectIdentifier = x509.ExtendedKeyUsageOID.SERVER_AUTH,
    ) -> str:  # fmt: skip
        return self._certificate(NAME, key, "between", self._between, names, begins, days, use=use)

    def _certificate(
        self, name: str, key: Any, issuer: str, by: Any, names: tuple[str, ...] = (),
        begins: datetime = NOW - timedelta(days=900), days: int = 3650, authority: bool = False,
        use: x509.ObjectIdentifier = x509.ExtendedKeyUsageOID.SERVER_AUTH,
    ) -> str:  # fmt: skip
        begun = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(begins)
            .not_valid_after(begins + timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        )
        if names:
            begun = begun.add_extension(x509.SubjectAlternativeName([*map(x509.DNSName, names)]), critical=False)
        if not authority:
            begun = begun.add_extension(x509.ExtendedKeyUsage([use]), critical=False)
        return begun.sign(by, SHA256()).public_bytes(Encoding.PEM).decode()
