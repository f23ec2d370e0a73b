/** No connection to the upstream could be made, so it certainly does not know the request. */
export class UpstreamUnreachable extends Error {
  override readonly name = 'UpstreamUnreachable'
}
