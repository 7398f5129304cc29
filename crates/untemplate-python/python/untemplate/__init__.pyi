from os import PathLike
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, TypedDict, Union

Body = Union[bytes, bytearray, str]
"""The body of a page: as it was fetched, or decoded by somebody who knew its encoding."""

Page = Union[Tuple[str, Body], Tuple[str, Body, Optional[str]]]
"""``(url, body)``, or ``(url, body, content_type)`` where the server said how the body is encoded."""

Path = Union[str, "PathLike[str]"]

class Extraction(TypedDict):
    """What was read on a page."""

    url: str
    matched: bool
    record: Dict[str, Any]
    problems: List[str]

class Classification(TypedDict):
    """Which class a page is of."""

    url: str
    page_class: Optional[int]
    class_name: Optional[str]
    cost: float

class Prediction(TypedDict):
    """Which class an address is thought to be of."""

    page_class: int
    class_name: str
    confidence: float

class PageClass(TypedDict):
    """A page class of a site."""

    name: str
    kind: str
    url_pattern: str
    estimated_pages: int
    pages: List[str]

class _Column(TypedDict):
    name: str
    kind: str
    unit: Optional[str]

class Column(_Column, total=False):
    """A column of a table; ``columns`` where its cells are lists of rows."""

    columns: List["Column"]

class PageRows(TypedDict):
    """What a page came to."""

    url: str
    page_class: Optional[int]
    class_name: Optional[str]
    problem: Optional[str]
    rows: Dict[str, List[Dict[str, Any]]]
    problems: List[str]

class Rebuilt(TypedDict):
    """How a rebuild ended."""

    rows: Dict[str, int]
    files: List[str]
    complete: bool
    partial_because: List[str]
    pages: int
    classes: int
    downloads: int

class Progress(TypedDict):
    """How far a rebuild is."""

    pages: int
    estimated: int
    downloads: int

class Question(TypedDict):
    """What is in doubt: what ``field`` is on the page ``url``; ``choices`` are likely answers."""

    field: str
    url: str
    choices: List[List[str]]

class Error(Exception):
    """What all errors of this package have in common."""

class AddressError(Error):
    """An address is none, or none that a page can have."""

class FileError(Error):
    """A file cannot be read or written."""

class FormatError(Error):
    """A file or text is not what it should be, or was written by another version."""

class LearnError(Error):
    """Nothing could be learnt from the pages and examples."""

class SiteError(Error):
    """A site has no page to begin with, or could not be read."""

class Table:
    """Rows that are dicts, and columns to whatever speaks Arrow: ``pyarrow.table(t)``, ``polars.DataFrame(t)``."""

    @property
    def column_names(self) -> List[str]: ...
    @property
    def columns(self) -> List[Column]: ...
    def to_list(self) -> List[Dict[str, Any]]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Dict[str, Any]: ...
    def __iter__(self) -> Iterator[Dict[str, Any]]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

class Wrapper:
    """All that turns a page of one class into a record."""

    @classmethod
    def load(cls, path: Path) -> "Wrapper": ...
    @classmethod
    def loads(cls, text: str) -> "Wrapper": ...
    def save(self, path: Path) -> None: ...
    def dumps(self) -> str: ...
    def extract(self, page: Page) -> Extraction: ...
    def extract_all(self, pages: Iterable[Page]) -> List[Extraction]: ...
    def table(self, pages: Iterable[Page]) -> Table: ...

class Specification:
    """Page classes that were taught: how to tell their pages, and what to read on them."""

    @property
    def fields(self) -> Dict[str, List[str]]: ...
    @classmethod
    def load(cls, path: Path) -> "Specification": ...
    @classmethod
    def loads(cls, text: str) -> "Specification": ...
    def save(self, path: Path) -> None: ...
    def dumps(self) -> str: ...
    def extract(self, page: Page) -> Extraction: ...
    def extract_all(self, pages: Iterable[Page]) -> List[Extraction]: ...
    def table(self, pages: Iterable[Page]) -> Table: ...

class SiteModel:
    """The page classes of a site, and the links between them."""

    @property
    def classes(self) -> List[PageClass]: ...
    @classmethod
    def load(cls, path: Path) -> "SiteModel": ...
    @classmethod
    def loads(cls, text: str) -> "SiteModel": ...
    def save(self, path: Path) -> None: ...
    def dumps(self) -> str: ...
    def classify(self, page: Page) -> Classification: ...
    def predict(self, url: str) -> Optional[Prediction]: ...

class SiteReader:
    """Reads the pages of a site one at a time, each without the others, into the rows of the site's tables."""

    @property
    def tables(self) -> Dict[str, List[Column]]: ...
    @property
    def classes(self) -> List[str]: ...
    @classmethod
    def load(cls, path: Path) -> "SiteReader": ...
    @classmethod
    def loads(cls, text: str) -> "SiteReader": ...
    def dumps(self) -> str: ...
    def read(self, page: Page) -> PageRows: ...
    def pages(self, pages: Iterable[Page], *, time_of_day: bool = True) -> Table: ...
    def table(self, name: str, pages: Iterable[Page]) -> Table: ...
    def __arrow_c_schema__(self) -> object: ...

class WarcPages(Iterator[Tuple[Any, ...]]):
    """The pages of a WARC file."""

    @property
    def problems(self) -> List[str]: ...
    def __iter__(self) -> "WarcPages": ...
    def __next__(self) -> Tuple[Any, ...]: ...

def records(html: Body, url: str, *, query: Optional[str] = None) -> Table:
    """The main list of a page, as a typed table; without rows where the page has no list."""

def infer(pages: Iterable[Page], *, training: int = 40) -> Wrapper:
    """Infers the wrapper of pages that one template made."""

def learn(
    pages: Iterable[Page],
    examples: Dict[str, Dict[str, str]],
    *,
    answer: Optional[Callable[[Question], Union[str, Sequence[str], None]]] = None,
    class_name: str = "PAGE",
) -> Specification:
    """Learns to read pages of one class from a few values on them: ``{"price": {"http://site.example/a": "$ 9"}}``."""

def model(pages: Iterable[Page], *, entry: Optional[str] = None) -> SiteModel:
    """Tells the page classes of pages, and the links between them."""

def classify(model: SiteModel, pages: Iterable[Page]) -> List[Classification]:
    """Tells the class of each page by a model."""

def rebuild(
    source: Union[Path, Sequence[Path], Iterable[Page]],
    out: Path,
    *,
    entry: Optional[str] = None,
    formats: Sequence[str] = (),
    host_only: bool = False,
    wrappers_only: bool = False,
    progress: Optional[Callable[[Progress], object]] = None,
    delay: float = 1.0,
    archive: Optional[Path] = None,
) -> Rebuilt:
    """Rebuilds the tables of a site and writes them to the folder ``out``."""

def read_warc(path: Path, *, content_type: bool = False) -> WarcPages:
    """The pages of a WARC file as ``(url, body)``, or ``(url, body, content_type)``."""
