/** Error for a request that was not sent, because no connection to the upstream could be made. */
export class UpstreamUnreachable extends Error {
  override readonly name = 'UpstreamUnreachable'
}
