/** Which bucket, who asks for it, and how. */
export interface S3Settings {
  /** Without a slash at the end; it may have a path. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: { reveal(): string }
  /** Whether the bucket stands in the path or before the host name. */
  addressing: 'path' | 'virtual-host'
  /** What every key begins with: empty, or ends with a slash. */
  prefix: string
  /** How results reach clients: from the bucket, to which the service sends them on, or through the service. */
  delivery: 'redirect' | 'service'
  /** Origin that clients are sent to in place of the endpoint's. */
  publicUrl: string | null
}
