"""Certificates for a cluster of one's own: an authority that signs one certificate and is thrown away.

Whoever has the folder may send code to the cluster; Dask asks both ends for it. The authority's key is never written,
so nobody can make another certificate.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from controller.lab.refused import LabRefused

DAYS = 3650


def make(folder: Path) -> None:
    """Write ``ca.pem``, ``lab.pem`` and ``lab.key`` into a new ``folder``; raises `LabRefused`."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    def certificate(
        name: str, key: ec.EllipticCurvePrivateKey, issuer: str, by: ec.EllipticCurvePrivateKey, authority: bool
    ) -> bytes:
        began = datetime.now(UTC) - timedelta(days=1)  # clocks of other machines may be behind
        built = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, issuer)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(began)
            .not_valid_after(began + timedelta(days=DAYS))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=0 if authority else None), critical=True)
        )
        written: bytes = built.sign(by, SHA256()).public_bytes(Encoding.PEM)
        return written

    authority, own = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    secret = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        folder.mkdir(parents=True, mode=0o700)
        for name, content in (
            ("ca.pem", certificate("beaconboard lab", authority, "beaconboard lab", authority, True)),
            ("lab.pem", certificate("beaconboard worker", own, "beaconboard lab", authority, False)),
            ("lab.key", secret),
        ):
            with open(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
    except FileExistsError:
        raise LabRefused(f"{folder} is there already: choose a new folder") from None
    except OSError as wrong:
        raise LabRefused(f"{folder} cannot be made ({wrong.strerror})") from wrong
