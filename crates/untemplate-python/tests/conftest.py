"""The demo site, and the program beside which the package is tested: ``UNTEMPLATE_PROGRAM``, or the one on the path."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

BASE = "http://cup.example/"


class Program:
    """The program, with the mirror of the demo site."""

    def __init__(self, path, mirror):
        self.path, self.mirror = path, mirror

    def run(self, *arguments, mirrored=True):
        mirror = ["--mirror", self.mirror] if mirrored else []
        command = [self.path, *map(str, arguments), *mirror]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode in (0, 3), done.stderr
        return done.stdout

    def lines(self, *arguments):
        return [json.loads(line) for line in self.run(*arguments).splitlines()]


@pytest.fixture(scope="session")
def program_path():
    path = os.environ.get("UNTEMPLATE_PROGRAM") or shutil.which("untemplate")
    if not path:
        pytest.skip("the program is not there: set UNTEMPLATE_PROGRAM")
    return path


@pytest.fixture(scope="session")
def site_folder(program_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cup")
    subprocess.run([program_path, "demo", "--players", "60", "--write", folder, "-q"], check=True, capture_output=True)
    return folder / "site"


@pytest.fixture(scope="session")
def program(program_path, site_folder):
    return Program(program_path, f"{BASE}={site_folder}")


@pytest.fixture(scope="session")
def pages(site_folder):
    """All pages of the site by address."""
    files = sorted(path for path in site_folder.rglob("*") if path.is_file())
    return {BASE + path.relative_to(site_folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="session")
def players(pages):
    return [(url, body) for url, body in pages.items() if "/players/" in url and url[-6].isdigit()]


@pytest.fixture(scope="session")
def served(program_path):
    """The address of the site, served on loopback."""
    command = [program_path, "demo", "--players", "60", "--serve", "--port", "0", "-q"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="session")
def warc(program_path, served, tmp_path_factory):
    """A WARC file of the served site."""
    folder = tmp_path_factory.mktemp("warc")
    file = folder / "cup.warc.gz"
    command = [program_path, "archive", served, "--archive", folder / "archive", "--export", file]
    command += ["--delay", "0", "--max-pages", "150", "--exclude", "calendar", "-q"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert file.exists(), done.stderr
    return Path(file)


@pytest.fixture(scope="session")
def reader_folder(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reader")
    program.run("rebuild", BASE, "--wrappers-only", "-o", folder, "-q")
    return folder
