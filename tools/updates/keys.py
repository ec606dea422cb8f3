"""The keys of updates: made, and named by roots that follow each other. ``python -m tools.updates.keys --help``.

A private key is a PEM file, sealed by a passphrase. A root is a file that anybody may read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner, SSlibKey
from tuf.api.metadata import Metadata, Role, Root, Snapshot, Targets, Timestamp

from controller import atomic_file
from controller.appliance.updates.signed import NotSigned, newest_root

LONG = timedelta(days=36_525)  # no date ends a root: a Pi may have any
PASSPHRASE = "UPDATE_PASSPHRASE"  # of keys, where nobody is there to type it


class NoKeys(click.ClickException):
    """Keys or roots that cannot be used; the text says why."""


def make_key(path: Path, passphrase: str) -> None:
    """Write a new private key, and beside it the public one, as ``.pub``."""
    key = Ed25519PrivateKey.generate()
    sealed = pem.BestAvailableEncryption(passphrase.encode()) if passphrase else pem.NoEncryption()
    atomic_file.write(path, key.private_bytes(pem.Encoding.PEM, pem.PrivateFormat.PKCS8, sealed), 0o600)
    public = key.public_key().public_bytes(pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo)
    atomic_file.write(path.with_suffix(".pub"), public)


def signer(path: Path, passphrase: str) -> CryptoSigner:
    """Return what signs with the private key in a file; raises `NoKeys`."""
    try:
        return CryptoSigner(pem.load_pem_private_key(path.read_bytes(), passphrase.encode() or None))
    except (OSError, ValueError, TypeError) as error:
        raise NoKeys(f"{path} cannot be used to sign: {error}") from error


def public_key(path: Path) -> SSlibKey:
    """Return the public key in a file; raises `NoKeys`."""
    try:
        return SSlibKey.from_crypto(pem.load_pem_public_key(path.read_bytes()))
    except (OSError, ValueError) as error:
        raise NoKeys(f"{path} is no public key: {error}") from error


def roots_in(folder: Path) -> list[Path]:
    """Return the roots in a folder, in their order."""
    return sorted(folder.glob("*.root.json"), key=lambda path: int(path.name.split(".")[0]))


def next_root(
    folder: Path, root_keys: Sequence[SSlibKey], release_keys: Sequence[SSlibKey], signers: Sequence[CryptoSigner],
    threshold: int = 1, anew: bool = False,
) -> Path:  # fmt: skip
    """Write the next root into ``folder``: from now on just these keys count. Raises `NoKeys`.

    ``threshold`` of the ``root_keys`` sign a root. Unless it begins ``anew``, as many keys of the root before as that
    one asks for have to sign it, too: then boards follow it by themselves.
    """
    before = roots_in(folder)
    number = int(before[-1].name.split(".")[0]) + 1 if before else 1
    made = Root(number, expires=_in(LONG), roles=_roles(threshold))
    for key in root_keys:
        made.add_key(key, Root.type)
    for role in (Targets.type, Snapshot.type, Timestamp.type):
        for key in release_keys:
            made.add_key(key, role)
    signed = Metadata(made)
    for each in signers:
        signed.sign(each, append=True)
    text = signed.to_bytes()
    try:
        newest_root(before[-1].read_bytes() if before and not anew else text, [text])
        made.verify_delegate(Root.type, signed.signed_bytes, signed.signatures)
    except (NotSigned, ValueError) as error:
        raise NoKeys(f"boards would not follow this root: {error}") from error
    path = folder / f"{number}.root.json"
    folder.mkdir(parents=True, exist_ok=True)
    atomic_file.write(path, text)
    return path


def _roles(threshold: int) -> dict[str, Role]:
    others = (Targets.type, Snapshot.type, Timestamp.type)
    return {Root.type: Role([], threshold), **{name: Role([], 1) for name in others}}


def _in(time: timedelta) -> datetime:
    return datetime.now(UTC).replace(microsecond=0) + time


def passphrase_of() -> str:
    """Return the passphrase of the keys, from the environment or from whoever sits there."""
    return os.environ[PASSPHRASE] if PASSPHRASE in os.environ else click.prompt("Passphrase", hide_input=True)


@click.group()
def main() -> None:
    """Make keys of updates, and the roots that name them."""


@main.command()
@click.argument("path", type=click.Path(path_type=Path))
def new(path: Path) -> None:
    """Make a key: PATH, which stays secret, and beside it PATH with the ending .pub."""
    make_key(path, passphrase_of())
    click.echo(f"{path} is to be kept offline; {path.with_suffix('.pub')} names it.")


PUBLIC = click.Path(exists=True, path_type=Path)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--root", "roots", multiple=True, required=True, type=PUBLIC, help="a public key that signs roots")
@click.option(
    "--release", "releases", multiple=True, required=True, type=PUBLIC, help="a public key that signs updates"
)
@click.option("--sign", "private", multiple=True, required=True, type=PUBLIC, help="a private root key, old or new")
@click.option("--threshold", default=1, show_default=True, help="how many root keys a root needs")
@click.option("--anew", is_flag=True, help="begin anew, where all root keys are lost: boards need make install")
def root(
    folder: Path, roots: tuple[Path, ...], releases: tuple[Path, ...], private: tuple[Path, ...], threshold: int,
    anew: bool,
) -> None:  # fmt: skip
    """Write the next root into FOLDER: from then on just the keys that are named count."""
    passphrase = passphrase_of()
    made = next_root(
        folder, [public_key(each) for each in roots], [public_key(each) for each in releases],
        [signer(each, passphrase) for each in private], threshold, anew,
    )  # fmt: skip
    click.echo(f"{made}: boards follow it with the next update. Copy it to raspberry/root.json, too, and commit both.")


if __name__ == "__main__":
    main()
