//! Where large bodies are kept outside of the database: a folder that all workers see, such as a
//! network disk, or a store of objects such as S3.
//!
//! An object is called by the hash of what it holds, so that any number of workers may write the
//! same one; it is whole when its name is there, and kept before a row says so.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use tokio::runtime::Runtime;

use crate::archive::{ArchiveError, ContentHash};

/// A store of large bodies.
pub(super) struct BodyStore {
    objects: Arc<dyn ObjectStore>,
    /// What stands before the names of all objects.
    begin: Path,
    /// The place as it was given.
    place: String,
    runtime: Runtime,
}

impl BodyStore {
    /// Opens a store: `s3://BUCKET/FOLDER`, or a folder, which is made where it is missing.
    pub(super) fn open(place: &str) -> Result<Self, ArchiveError> {
        let (objects, begin) = match place.split_once("://") {
            Some((scheme, rest)) => remote(scheme, rest).map_err(|reason| ArchiveError::Address {
                address: place.to_owned(),
                reason,
            })?,
            None => (local(place)?, Path::default()),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Ok(Self {
            objects,
            begin,
            place: place.to_owned(),
            runtime: runtime.map_err(|cause| ArchiveError::file("open", &PathBuf::from(place), cause))?,
        })
    }

    /// Keeps bytes; once this returns, they outlive a crash.
    pub(super) fn put(&self, hash: ContentHash, bytes: Vec<u8>) -> Result<(), ArchiveError> {
        let put = self
            .runtime
            .block_on(self.objects.put(&self.object(hash), bytes.into()));
        put.map(drop)
            .map_err(|error| ArchiveError::file("write", &self.name(hash), cause_of(&error)))
    }

    /// The bytes of this hash; `None` where there are none.
    pub(super) fn get(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, ArchiveError> {
        let object = self.object(hash);
        let got = self
            .runtime
            .block_on(async { self.objects.get(&object).await?.bytes().await });
        match got {
            Ok(bytes) => Ok(Some(bytes.into())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(ArchiveError::file("read", &self.name(hash), cause_of(&error))),
        }
    }

    /// What the object of a hash is called for people.
    pub(super) fn name(&self, hash: ContentHash) -> PathBuf {
        PathBuf::from(format!("{}/{}", self.place.trim_end_matches('/'), key_of(hash)))
    }

    fn object(&self, hash: ContentHash) -> Path {
        key_of(hash)
            .split('/')
            .fold(self.begin.clone(), |path, part| path.join(part))
    }
}

/// In folders of 256, so that none of them grows too large.
fn key_of(hash: ContentHash) -> String {
    let name = format!("{hash:?}");
    format!("{}/{name}.zst", &name[..2])
}

fn local(place: &str) -> Result<Arc<dyn ObjectStore>, ArchiveError> {
    let folder = PathBuf::from(place);
    std::fs::create_dir_all(&folder).map_err(|cause| ArchiveError::file("create", &folder, cause))?;
    let objects = LocalFileSystem::new_with_prefix(&folder);
    let objects = objects.map_err(|error| ArchiveError::file("open", &folder, cause_of(&error)))?;
    Ok(Arc::new(objects.with_fsync(true)))
}

/// A store behind an address; what lets us in is in the variables `AWS_ACCESS_KEY_ID`,
/// `AWS_SECRET_ACCESS_KEY`, `AWS_REGION` and `AWS_ENDPOINT`, never in the address.
#[cfg(feature = "s3")]
fn remote(scheme: &str, rest: &str) -> Result<(Arc<dyn ObjectStore>, Path), String> {
    if scheme != "s3" {
        return Err(format!(
            "bodies={scheme}://… is neither a folder nor s3://BUCKET/FOLDER"
        ));
    }
    // The client of object stores asks for the one that the process has agreed upon; it may have
    // one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (bucket, begin) = rest.split_once('/').unwrap_or((rest, ""));
    let builder = object_store::aws::AmazonS3Builder::from_env().with_bucket_name(bucket);
    let objects = builder.build().map_err(|error| error.to_string())?;
    Ok((Arc::new(objects), Path::from(begin)))
}

#[cfg(not(feature = "s3"))]
fn remote(scheme: &str, _: &str) -> Result<(Arc<dyn ObjectStore>, Path), String> {
    Err(format!(
        "bodies={scheme}://… needs a build with the feature `s3`; this one keeps large bodies in a folder"
    ))
}

/// What the system said, where it was asked: a full disk is told from other trouble.
fn cause_of(error: &object_store::Error) -> io::Error {
    let first: &(dyn std::error::Error + 'static) = error;
    let mut causes = std::iter::successors(Some(first), |cause| cause.source());
    let kind = causes.find_map(|cause| cause.downcast_ref::<io::Error>().map(io::Error::kind));
    io::Error::new(kind.unwrap_or(io::ErrorKind::Other), error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(opened: Result<BodyStore, ArchiveError>) -> String {
        opened.err().expect("it cannot be opened").to_string()
    }

    #[test]
    fn a_full_disk_is_told_from_other_trouble() {
        let full = object_store::Error::Generic {
            store: "local",
            source: Box::new(io::Error::from(io::ErrorKind::StorageFull)),
        };
        let error = ArchiveError::file("write", &PathBuf::from("bodies/ab"), cause_of(&full));
        assert!(
            error.to_string().starts_with("no space is left for bodies/ab"),
            "{error}"
        );
    }

    #[test]
    fn places_that_cannot_be_opened_are_said() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let message = said(BodyStore::open(&file.path().display().to_string()));
        assert!(message.starts_with("cannot create"), "{message}");
        let message = said(BodyStore::open("ftp://bodies.example/x"));
        assert!(message.contains("bodies=ftp://"), "{message}");
    }
}
