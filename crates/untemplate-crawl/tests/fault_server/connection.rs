//! One connection: request after request, until an answer ends it.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::log::ConnectionLog;
use super::{Shared, faults, http2, tls};

/// How long a request may take to come in, or an idle connection stay open.
const REQUEST_TIME: Duration = Duration::from_secs(30);

/// Bytes of a request, its body included.
const REQUEST_BYTES_MAX: usize = 1 << 20;

/// What becomes of a connection after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Keep,
    Close,
    Reset,
}

/// A request, as far as the server cares.
pub(super) struct Asked {
    pub(super) path: String,
    pub(super) head: String,
}

/// Serves a connection until it ends.
pub(super) async fn serve(mut stream: TcpStream, identity: Option<tls::Identity>, shared: &Shared) -> io::Result<()> {
    let log = shared.log.open(stream.local_addr()?, stream.peer_addr()?);
    let Some(identity) = identity else {
        if answer_all(&mut stream, shared, &log).await? == After::Reset {
            stream.set_zero_linger()?;
        }
        return Ok(());
    };
    let Some(mut stream) = identity.encrypt(stream).await? else {
        return Ok(());
    };
    if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
        return http2::serve(stream, &log).await;
    }
    if answer_all(&mut stream, shared, &log).await? == After::Reset {
        stream.get_ref().0.set_zero_linger()?;
        return Ok(());
    }
    stream.shutdown().await
}

async fn answer_all<S>(stream: &mut S, shared: &Shared, log: &ConnectionLog) -> io::Result<After>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(asked) = timeout(REQUEST_TIME, read_request(stream)).await?? {
        log.asked(&asked.path, &asked.head);
        let after = faults::answer(stream, &asked, shared).await?;
        stream.flush().await?;
        if after != After::Keep {
            return Ok(after);
        }
    }
    Ok(After::Close)
}

/// Reads a request with its body; `None` when the client has none.
async fn read_request<S: AsyncRead + Unpin>(stream: &mut S) -> io::Result<Option<Asked>> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if bytes.len() > REQUEST_BYTES_MAX || stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let path = head.split(' ').nth(1).unwrap_or("/").to_owned();
    let length = header(&head, "content-length").and_then(|length| length.parse().ok());
    let mut body_left = length
        .unwrap_or(0_usize)
        .min(REQUEST_BYTES_MAX)
        .saturating_sub(bytes.len() - end);
    while body_left > 0 {
        let mut piece = vec![0; body_left.min(16 << 10)];
        match stream.read(&mut piece).await? {
            0 => return Ok(None),
            n_read => body_left -= n_read,
        }
    }
    Ok(Some(Asked { path, head }))
}

/// The value of a header, given in lower case.
pub(super) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut headers = head.lines().skip(1).filter_map(|line| line.split_once(':'));
    headers
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.trim())
}
