/** The bucket, its credentials and its addressing. */
export interface S3Settings {
  /** Address of the S3 service, without a trailing slash. It may have a path. */
  endpoint: string
  bucket: string
  region: string
  /**
   * Null: the AWS client finds the credentials in the environment, a profile or a role of the
   * machine, and renews them before they expire.
   */
  accessKey: { id: string; secret: { reveal(): string } } | null
  /** Whether the bucket name is in the path or in front of the host name. */
  addressing: 'path' | 'virtual-host'
  /** Prefix of every key: empty, or ends with a slash. */
  prefix: string
  /** Delivery of results and previews: by a redirect to the bucket, or through the service. */
  delivery: 'redirect' | 'service'
  /** Origin that replaces the endpoint's origin in URLs for clients. */
  publicUrl: string | null
}
