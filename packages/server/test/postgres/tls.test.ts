import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StartupError } from '../../src/lib/startup-error.ts'
import { startServer } from '../started-server.ts'
import { openTestStore } from './open-test-store.ts'
import { createDatabase, findPostgresPrograms, rowsOf, startPostgresServer, type PostgresServer } from './postgres-server.ts'
import { createAuthority, certificatesUnavailable, type TestAuthority } from './test-authority.ts'
import { hasPostgres } from './test-database.ts'

const programs = findPostgresPrograms()

/** These tests start a server that requires TLS and has a certificate for localhost. */
describe.runIf(hasPostgres && programs !== undefined && certificatesUnavailable === null)('a database behind TLS', () => {
  let folder: string
  let authority: TestAuthority
  let postgres: PostgresServer
  let url: URL

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-tls-'))
    authority = createAuthority(folder, 'authority')
    postgres = await startPostgresServer(programs ?? '', { secured: authority.certify('localhost') })
    url = new URL(await createDatabase(postgres.url, 'framegate'))
    url.hostname = 'localhost'
  })
  afterAll(async () => {
    await postgres.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const withParameters = (parameters: Record<string, string>, host = 'localhost'): string => {
    const changed = new URL(url)
    changed.hostname = host
    changed.search = new URLSearchParams(parameters).toString()
    return changed.href
  }

  async function areAllEncrypted(): Promise<boolean> {
    const connections = await rowsOf<{ ssl: boolean }>(
      url.href,
      "select s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.application_name = 'framegate'",
    )
    return connections.length >= 2 && connections.every(({ ssl }) => ssl)
  }

  it('a service connects with TLS, verifies the server and logs no warning', async () => {
    const databaseUrl = withParameters({ sslmode: 'require', sslrootcert: authority.file })
    const server = await startServer(path.join(folder, 'data'), { DATABASE_URL: databaseUrl })
    expect(await areAllEncrypted()).toBe(true)
    expect(await server.stop()).toBe(0)
    expect(server.log()).not.toMatch(/warning/i)
  })

  it.each(['verify-full', 'verify-ca', 'no-verify'])('a store connects with TLS with sslmode=%s', async (sslmode) => {
    const trust = sslmode === 'no-verify' ? {} : { sslrootcert: authority.file }
    await using _store = await openTestStore(withParameters({ sslmode, ...trust }))
    expect(await areAllEncrypted()).toBe(true)
  })

  it('a store with invalid TLS settings does not open, and the error states the reason without the password', async () => {
    const otherAuthority = createAuthority(folder, 'other')
    const noCertificate = path.join(folder, 'no-certificate.pem')
    writeFileSync(noCertificate, 'this is no certificate\n')
    const { file } = authority
    const refused: [databaseUrl: string, sentence: string][] = [
      [withParameters({}), 'accepts only connections with TLS: add sslmode=verify-full'],
      [withParameters({ sslmode: 'verify-full' }), 'a certificate that is not trusted here'],
      [withParameters({ sslmode: 'require' }), 'a certificate that is not trusted here'],
      [withParameters({ sslmode: 'verify-full', sslrootcert: otherAuthority.file }), 'a certificate that is not trusted here'],
      [withParameters({ sslmode: 'verify-full', sslrootcert: file }, '127.0.0.1'), 'a certificate for another host'],
      [withParameters({ sslmode: 'require', sslrootcert: file }, '127.0.0.1'), 'a certificate for another host'],
      [withParameters({ sslmode: 'verify-full', sslrootcert: noCertificate }), 'a certificate that is not trusted here'],
      [
        withParameters({ sslmode: 'verify-full', sslrootcert: path.join(folder, 'missing.pem') }),
        'a file that it names is missing',
      ],
    ]
    for (const [databaseUrl, expectedMessage] of refused) {
      const refusal = await openTestStore(databaseUrl).then(
        () => null,
        (error: unknown) => error,
      )
      expect(refusal, databaseUrl).toBeInstanceOf(StartupError)
      const { message } = refusal as StartupError
      expect(message).toContain(expectedMessage)
      expect(message).not.toContain('planted-secret')
    }
  })
})
