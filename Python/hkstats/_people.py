"""Whose exports there are: each with its name, its person, and the zone of that person."""

from __future__ import annotations

import csv
import glob
import hashlib
import hmac
import os
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from ._library import NotFoundError, UsageError
from ._plan import MEMBERS_AS_OPTIONS, Question, text_of, zone_named


@dataclass(frozen=True)
class Export:
    """An export, with the name that its place gives it."""

    path: str
    name: str
    size: int


@dataclass(frozen=True)
class Person:
    """A partition: somebody, with all exports of theirs."""

    id: str
    paths: tuple[str, ...]
    size: int
    timezone: str | None = None


def exports_at(path: str) -> list[Export]:
    """The exports of a folder, or of a pattern such as ``exports/*.zip`` or ``exports/*/export.zip``.

    The name of an export is its path below the folder, or below the part of the pattern that has no
    wildcard, without ``.zip`` or ``.xml`` and without a last ``export``.

    Raises:
        UsageError: the path is none of a local file system, or two exports have one name
        NotFoundError: there is no export
    """
    path = _local(path, "or read it with binaryFile and read_binary.")
    if os.path.isdir(path) and not _is_export(path):
        root = path
        found = [os.path.join(path, each) for each in os.listdir(path) if not each.startswith(".")]
        found = [each for each in found if _is_export(each)]
    elif os.path.lexists(path):
        root, found = os.path.dirname(path), [path]
    else:
        root = path
        while glob.has_magic(root):
            root = os.path.dirname(root)
        found = glob.glob(path, recursive=True)
    if not found:
        raise NotFoundError(f"There is no export at {path}.")
    exports: dict[str, Export] = {}
    for each in sorted(found):
        export = Export(each, name_of(os.path.relpath(each, root)), _size(each))
        if export.name in exports:
            raise UsageError(f'Two exports have the name "{export.name}". Rename one of them.')
        exports[export.name] = export
    return list(exports.values())


def name_of(path: str) -> str:
    """The name of an export, by its path below the folder of all."""
    stem, suffix = os.path.splitext(path)
    name = stem if suffix.lower() in (".zip", ".xml") else path
    parts = name.split(os.sep)
    while len(parts) > 1 and parts[-1] in ("export", "apple_health_export"):
        parts.pop()
    return "/".join(parts)


def _is_export(path: str) -> bool:
    """Whether a path looks as an export does; whether it is one shows when it is read."""
    if os.path.isdir(path):
        inner = (path, os.path.join(path, "apple_health_export"))
        return any(os.path.exists(os.path.join(each, "export.xml")) for each in inner)
    return path.lower().endswith((".zip", ".xml"))


def _without_scheme_of_files(url: str) -> str:
    """A local path of each of its forms ``/a``, ``file:/a`` and ``file:///a``; other URLs as they are."""
    return "/" + url[5:].lstrip("/") if url.startswith("file:") else url


def _local(url: str, advice: str) -> str:
    """A path of the local file system, which is the same wherever a task runs.

    Raises:
        UsageError: it is of another one; the advice says what to do beside mounting it
    """
    path = _without_scheme_of_files(url)
    scheme = path.split("://", 1)[0]
    if "://" in path and scheme.isalnum():
        raise UsageError(f"A path of {scheme}:// is not local: mount it, {advice}")
    return os.path.abspath(os.path.expanduser(path))


def _folder_of_findings(path: str) -> str:
    if path.lower() in ("", "true", "false") or "\0" in path:
        raise UsageError(f'findings is a folder that gets files of them, not "{path}".')
    path = _local(path, "or read the table findings.")
    if os.path.lexists(path) and not os.path.isdir(path):
        raise UsageError(f"findings is a folder, and {path} is none.")
    return path


def _size(path: str) -> int:
    if not os.path.isdir(path):
        try:
            return os.stat(path).st_size
        except OSError:
            return 0
    return sum(
        _size(os.path.join(folder, each)) for folder, _, names in os.walk(path) for each in names
    )


def pseudonym(name: str, secret: bytes) -> str:
    """The person of an export: the first 128 bits of HMAC-SHA-256 of its name, in hexadecimal.

    The secret is the key. Who has it can compute the pseudonyms of all names; who has not cannot,
    even if they guess the name.
    """
    return hmac.new(secret, os.fsencode(name), hashlib.sha256).hexdigest()[:32]


@dataclass(frozen=True)
class Participant:
    """A row of the csv of people."""

    person: str | None
    timezone: str | None


def participants_of(path: str) -> dict[str, Participant]:
    """The csv of people: ``name`` of the export, and ``person``, ``timezone`` or both.

    Raises:
        UsageError: the file cannot be read, has no column ``name``, or one name twice
    """
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if "name" not in (reader.fieldnames or ()):
                raise UsageError(f"{path}: the head has no column name.")
            people: dict[str, Participant] = {}
            for row in reader:
                name = (row["name"] or "").strip()
                if name in people:
                    raise UsageError(f"{path}: line {reader.line_num} has a name a second time.")
                people[name] = Participant(
                    (row.get("person") or "").strip() or None,
                    (row.get("timezone") or "").strip() or None,
                )
    except UsageError:
        raise
    except (OSError, ValueError, csv.Error) as error:
        raise UsageError(f"{path}: cannot be read as csv: {error}.") from None
    for each in {each.timezone for each in people.values() if each.timezone}:
        zone_named(each)
    return people


def secret_of(path: str | None) -> bytes:
    """The secret of a file, without the end of its line; without a file, one of this moment.

    Raises:
        UsageError: the file cannot be read, or is shorter than 16 bytes
    """
    if path is None:
        return secrets.token_bytes(32)
    try:
        secret = Path(path).read_bytes().rstrip(b"\r\n")
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: the secret cannot be read: {error}.") from None
    if len(secret) < 16:
        raise UsageError(f"{path}: a secret has 16 bytes at least: openssl rand -hex 32 > {path}")
    return secret


# MARK: Cohorts

OPTIONS = (
    "path", "table", "plan", "people", "names", "secretFile", "strict", "findings", "isolation",
    "memory", "timeout", *MEMBERS_AS_OPTIONS,
)  # fmt: skip


class Cohort:
    """The exports of many people, and what is asked of each: the options of the data source.

    Attributes:
        question: what is asked
        unmatched: how many names of the csv of people are of none of the exports, once people are asked
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        """Reads options by their names, whose capitals do not matter. Values are texts, or become some.

        Raises:
            UsageError: an option is wrong, or a file that it names cannot be read
        """
        given = {name.lower(): text_of(value) for name, value in options.items()}
        for name in given.keys() - {each.lower() for each in OPTIONS}:
            raise UsageError(f'There is no option "{name}". There are {", ".join(OPTIONS)}.')
        if "findings" in given:
            given["findings"] = _folder_of_findings(given["findings"])
        self._participants = participants_of(given["people"]) if "people" in given else {}
        self.unmatched = 0
        has_zones = all(each.timezone for each in self._participants.values())
        self.question = Question.of(given, bool(self._participants) and has_zones)
        self._path = given.get("path", "")
        self._secret = secret_of(given.get("secretfile"))

    def schema(self) -> pa.Schema:
        """The columns of the table."""
        return self.question.schema()

    def id_of(self, name: str) -> str:
        """Who the person of an export is called, by its name."""
        known = self._participants.get(name)
        if known is not None and known.person:
            return known.person
        if self.question.names:
            # A name of a file is any bytes; a text of Spark is Unicode.
            return os.fsencode(name).decode(errors="replace")
        return pseudonym(name, self._secret)

    def person_of(self, name: str, path: str) -> Person:
        """The person of one export."""
        known = self._participants.get(name)
        return Person(self.id_of(name), (path,), 0, known.timezone if known else None)

    def people(self, only: Collection[str] | None = None) -> list[Person]:
        """One partition a person, those with much to read first.

        Args:
            only: these persons; else all

        Raises:
            NotFoundError: there is no export
            UsageError: the option ``path`` is missing or not local, two exports have one name, or
                somebody has no zone where days need one
        """
        if not self._path:
            raise UsageError(
                "The option path is missing: a folder, or a pattern such as exports/*.zip."
            )
        exports = exports_at(self._path)
        self._check_names([export.name for export in exports])
        people: dict[str, Person] = {}
        for export in exports:
            one = self.person_of(export.name, export.path)
            person = people.get(one.id, replace(one, paths=()))
            if person.timezone != one.timezone:
                raise UsageError(f'The exports of person "{one.id}" have two zones.')
            people[one.id] = replace(
                person, paths=(*person.paths, export.path), size=person.size + export.size
            )
        for person in people.values():
            self.question.check_zone(person)
        chosen = (each for each in people.values() if only is None or each.id in only)
        return sorted(chosen, key=lambda person: (-person.size, person.id))

    def people_below(self, root: str, paths: Sequence[str]) -> dict[str, Person]:
        """The persons of exports that are not files here, by their paths, which are URLs.

        Raises:
            UsageError: a path is not below ``root``, somebody has several exports, or has no zone where
                days need one
        """
        folder = _without_scheme_of_files(root).rstrip("/") + "/"
        names = {}
        for path in paths:
            place = _without_scheme_of_files(path)
            if not place.startswith(folder):
                raise UsageError(f"{path} is not below {root}, where the names of exports begin.")
            names[path] = name_of(place.removeprefix(folder))
        self._check_names(list(names.values()))
        people = {path: self.person_of(name, path) for path, name in names.items()}
        seen: set[str] = set()
        for person in people.values():
            self.question.check_zone(person)
            if person.id in seen:
                raise UsageError(
                    f'Person "{person.id}" has several exports; only those of a path are merged.'
                )
            seen.add(person.id)
        return people

    def _check_names(self, names: Sequence[str]) -> None:
        """Refuses names of exports that would make one person of two people."""
        known: dict[str, str] = {}
        for name in names:
            id = self.id_of(name)
            participant = self._participants.get(name)
            is_told = participant is not None and participant.person is not None
            # The exports that the csv gives to one person have one owner.
            owner = "" if is_told else name
            if known.setdefault(id, owner) != owner:
                raise UsageError(
                    f'Two exports would be person "{id}", and the csv of people does not say so.'
                )
        self.unmatched = len(self._participants.keys() - set(names))
        if names and self._participants and self.unmatched == len(self._participants):
            raise UsageError(
                f'No name of the csv of people is that of an export, such as "{names[0]}".'
            )
