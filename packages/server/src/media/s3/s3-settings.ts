/** The bucket, its credentials, and how it is addressed. */
export interface S3Settings {
  /** Without a slash at the end; it may have a path. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: { reveal(): string }
  /** Whether the bucket name stands in the path or before the host name. */
  addressing: 'path' | 'virtual-host'
  /** Prefix of every key: empty, or ends with a slash. */
  prefix: string
  /** How clients get results: redirected to the bucket, or through the service. */
  delivery: 'redirect' | 'service'
  /** Replaces the endpoint's origin in URLs for clients. */
  publicUrl: string | null
}
