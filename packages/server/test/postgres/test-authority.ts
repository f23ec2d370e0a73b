import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** Reason why no certificates can be created. Null if `openssl` is installed. */
export const certificatesUnavailable = canRun() ? null : 'no openssl on this machine'

/** A certificate authority for tests. It stores its certificates and keys as files. */
export interface TestAuthority {
  /** File with the authority's own certificate. */
  file: string
  /** Creates a certificate and a key for the host. */
  certify(host: string, ...options: string[]): { certificate: string; key: string }
}

export function createAuthority(folder: string, name: string): TestAuthority {
  const [file, key] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)]
  request(file, key, `/CN=${name}`, '-days', '2')
  return {
    file,
    certify(host, ...options) {
      const paths = {
        certificate: path.join(folder, `${name}-${host}.pem`),
        key: path.join(folder, `${name}-${host}.key`),
      }
      const signed = ['-CA', file, '-CAkey', key, '-addext', 'basicConstraints=critical,CA:FALSE']
      request(paths.certificate, paths.key, `/CN=${host}`, ...signed, '-addext', `subjectAltName=DNS:${host}`, ...options)
      return paths
    },
  }
}

function request(certificate: string, key: string, subject: string, ...options: string[]): void {
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key]
  execFileSync('openssl', ['req', '-x509', ...newKey, '-out', certificate, '-subj', subject, ...options], { stdio: 'pipe' })
}

function canRun(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
