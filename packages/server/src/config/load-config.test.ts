import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.ts'
import { fileKeyOf, settingNames, type Environment } from './env.ts'
import { loadConfig, type ConfigSources } from './load-config.ts'
import { defaultThreadCount } from './threads-setting.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const load = (env: Environment = {}, sources: Partial<ConfigSources> = {}) => loadConfig({ env, cwd, ...sources })
const write = (text: string, name = 'framegate.yaml') => writeFileSync(join(cwd, name), text)

function violationsOf(env: Environment = {}, sources: Partial<ConfigSources> = {}): readonly string[] {
  try {
    load(env, sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.violations
    throw error
  }
  return []
}

describe('sources of settings', () => {
  it('every setting has a default', () => {
    expect(load()).toEqual({
      mode: 'development',
      role: 'all',
      threads: defaultThreadCount({ database: { kind: 'sqlite' }, role: 'all' }),
      shutdownDelaySeconds: 0,
      host: '127.0.0.1',
      port: 8787,
      basePath: '/api',
      publicUrl: null,
      dataDir: join(cwd, 'data'),
      bootstrapKey: null,
      database: { kind: 'sqlite' },
      encryptionKey: null,
      allowHosts: [],
      corsOrigins: [],
      console: true,
      startDeadlineSeconds: 3600,
      resultUrlTtlSeconds: 86_400,
      resultRetentionSeconds: 604_800,
      taskRetentionMonths: null,
      deliveryRetentionSeconds: 2_592_000,
      media: { kind: 'disk' },
      routing: expect.objectContaining({ path: null, upstreams: null, routes: null }),
      assets: { assetsMax: 1000, bytesMax: 1_073_741_824 },
      logLevel: 'info',
      metricsToken: null,
      traces: null,
      watermarkEncoder: 'auto',
      chat: { heartbeatSeconds: 0, readOnSeconds: 30, waitSeconds: 10 },
      embedded: { slots: null },
    })
  })

  it('the file overrides defaults, the environment overrides the file, and the command line overrides both', () => {
    write('host: 0.0.0.0\nport: 1\nlog_level: debug\n')
    const flags = { LOG_LEVEL: { text: 'warn', source: '--log-level', baseDir: cwd } }
    const config = load({ FRAMEGATE_PORT: '2', LOG_LEVEL: 'error' }, { flags })
    expect([config.host, config.port, config.logLevel]).toEqual(['0.0.0.0', 2, 'warn'])
  })

  it('an empty value counts as absent in the environment and in the file', () => {
    write('port: 1\nhost:\nbase_path: ""\nroutes:\nupstreams: {}\n')
    const empty = Object.fromEntries(settingNames.map((name) => [name, ' ']))
    const config = load({ ...empty, DATABASE_URL: '', FRAMEGATE_CONFIG: '' })
    expect([config.port, config.host, config.basePath]).toEqual([1, '127.0.0.1', '/api'])
  })

  it('an empty file and a file of comments only are accepted', () => {
    for (const text of ['', '# nothing yet\n', '---\n']) {
      write(text)
      expect(load().port).toBe(8787)
    }
  })

  it('a relative path is resolved against the file that has it, or else against the working directory', () => {
    write('data_dir: store')
    expect(load({}, { cwd: '/', configPath: join(cwd, 'framegate.yaml') }).dataDir).toBe(join(cwd, 'store'))
    expect(load({ FRAMEGATE_DATA_DIR: 'here' }).dataDir).toBe(join(cwd, 'here'))
  })

  it('FRAMEGATE_CONFIG names the file to read, and a missing file is an error', () => {
    write('port: 5', 'other.yaml')
    expect(load({ FRAMEGATE_CONFIG: 'other.yaml' }).port).toBe(5)
    expect(violationsOf({ FRAMEGATE_CONFIG: 'absent.yaml' })).toEqual([
      `absent.yaml: does not exist at ${join(cwd, 'absent.yaml')}.`,
    ])
  })

  it('the file accepts every setting under its lower-case name', () => {
    write(settingNames.map((name) => `${fileKeyOf(name)}: ''`).join('\n'))
    expect(violationsOf()).toEqual([])
  })
})

describe('values of settings', () => {
  it.each([
    ['FRAMEGATE_MODE', 'production', 'mode', 'production'],
    ['NODE_ENV', 'production', 'mode', 'production'],
    ['NODE_ENV', 'test', 'mode', 'development'],
    ['FRAMEGATE_PORT', '0', 'port', 0],
    ['FRAMEGATE_PORT', '65535', 'port', 65_535],
    ['FRAMEGATE_HOST', '[::1]', 'host', '::1'],
    ['FRAMEGATE_BASE_PATH', '/', 'basePath', ''],
    ['FRAMEGATE_BASE_PATH', '/a/b/', 'basePath', '/a/b'],
    ['FRAMEGATE_PUBLIC_URL', 'https://Media.example.com/', 'publicUrl', 'https://media.example.com'],
    [
      'FRAMEGATE_ALLOW_HOSTS',
      ' 10.0.0.0/8, fd00::/8,Minio.local ,127.0.0.1:9000,,',
      'allowHosts',
      ['10.0.0.0/8', 'fd00::/8', 'minio.local', '127.0.0.1:9000'],
    ],
    ['FRAMEGATE_CORS_ORIGINS', '*', 'corsOrigins', '*'],
    [
      'FRAMEGATE_CORS_ORIGINS',
      'https://Studio.example.com:443/, http://localhost:5173',
      'corsOrigins',
      ['https://studio.example.com', 'http://localhost:5173'],
    ],
    ['FRAMEGATE_CONSOLE', 'off', 'console', false],
    ['FRAMEGATE_START_DEADLINE', '1', 'startDeadlineSeconds', 1],
    ['RESULT_URL_TTL', '1', 'resultUrlTtlSeconds', 1],
    ['RESULT_RETENTION', '2', 'resultRetentionSeconds', 2],
    ['TASK_RETENTION_MONTHS', '13', 'taskRetentionMonths', 13],
    ['LOG_LEVEL', 'WARN', 'logLevel', 'warn'],
    ['FRAMEGATE_ENCODER', 'ffmpeg', 'watermarkEncoder', 'ffmpeg'],
    ['FRAMEGATE_RENDER_SLOTS', '3', 'embedded', { slots: 3 }],
    ['FRAMEGATE_THREADS', '3', 'threads', 3],
  ])('the setting %s=%s is accepted', (name, text, field, value) => {
    expect(load({ [name]: text })).toHaveProperty(field, value)
  })

  it.each([
    ['FRAMEGATE_MODE', 'prod', 'must be one of development, production'],
    ['FRAMEGATE_PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['FRAMEGATE_PORT', '-1', 'must be a whole number'],
    ['FRAMEGATE_PORT', '8e3', 'must be a whole number'],
    ['FRAMEGATE_PORT', 'tcp://10.0.0.7:8787', 'enableServiceLinks: false'],
    ['FRAMEGATE_HOST', 'http://localhost', 'must be an address or a host name'],
    ['FRAMEGATE_HOST', '1.2.3', 'must be an address or a host name'],
    ['FRAMEGATE_BASE_PATH', 'api', 'starts with a slash'],
    ['FRAMEGATE_BASE_PATH', '/a/../b', 'starts with a slash'],
    ['FRAMEGATE_BASE_PATH', '/a//b', 'starts with a slash'],
    ['FRAMEGATE_BASE_PATH', '/console/api', 'which the console uses'],
    ['FRAMEGATE_CONSOLE', 'no', 'must be one of on, off'],
    ['FRAMEGATE_PUBLIC_URL', 'media.example.com', 'with http:// or https://'],
    ['FRAMEGATE_PUBLIC_URL', 'https://media.example.com/api', 'https://media.example.com instead of'],
    ['FRAMEGATE_ALLOW_HOSTS', 'ok.example, http://10.0.0.1', 'without scheme and path; got "http://10.0.0.1"'],
    ['FRAMEGATE_ALLOW_HOSTS', '10.0.0.0/33', 'ranges'],
    ['FRAMEGATE_CORS_ORIGINS', 'https://a.example, b.example', 'must be a list of origins such as https://studio.example.com'],
    ['FRAMEGATE_CORS_ORIGINS', 'https://a.example/app', 'got "https://a.example/app"'],
    ['FRAMEGATE_CORS_ORIGINS', '*, https://a.example', 'or * alone'],
    ['FRAMEGATE_START_DEADLINE', '0', 'must be a whole number of seconds from 1'],
    ['RESULT_URL_TTL', '24h', 'must be a whole number of seconds'],
    ['RESULT_RETENTION', '0', 'must be a whole number of seconds from 1'],
    ['TASK_RETENTION_MONTHS', '0', 'must be a whole number from 1'],
    ['LOG_LEVEL', 'loud', 'must be one of silent'],
    ['FRAMEGATE_ENCODER', 'h264', 'must be one of auto, webcodecs, ffmpeg'],
    ['FRAMEGATE_RENDER_SLOTS', '0', 'must be a whole number from 1'],
    ['FRAMEGATE_THREADS', '0', 'must be a whole number from 1 to 64'],
    ['FRAMEGATE_THREADS', '65', 'must be a whole number from 1 to 64'],
    ['FRAMEGATE_THREADS', 'all', 'must be a whole number from 1 to 64'],
  ])('the setting %s=%s is rejected', (name, text, messagePart) => {
    expect(violationsOf({ [name]: text })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
    expect(violationsOf({ [name]: text })[0]).toContain(messagePart)
  })

  it('the default number of threads is half of the cores, at most 4, or 1 with PostgreSQL', () => {
    const [sqlite, postgres] = [load().database, load({ DATABASE_URL: 'postgres://db/framegate' }).database]
    const threadsOn = (cores: number) => defaultThreadCount({ database: sqlite, role: 'all' }, cores)
    expect([1, 2, 3, 4, 6, 8, 16, 64].map(threadsOn)).toEqual([1, 1, 1, 2, 3, 4, 4, 4])
    expect(defaultThreadCount({ database: postgres, role: 'all' }, 16)).toBe(1)
    expect(defaultThreadCount({ database: postgres, role: 'worker' }, 16)).toBe(1)
  })

  it('FRAMEGATE_THREADS above 1 is rejected with PostgreSQL', () => {
    const env = { DATABASE_URL: 'postgres://db/framegate', FRAMEGATE_THREADS: '2' }
    expect(violationsOf(env)).toEqual([
      'FRAMEGATE_THREADS: must be 1, because with DATABASE_URL several processes serve requests instead.',
    ])
    expect(load({ ...env, FRAMEGATE_THREADS: '1' }).threads).toBe(1)
  })

  it('all invalid settings are reported together, each under the name that was used', () => {
    write('port: x\nresult_retention: [1]\n')
    const flags = { FRAMEGATE_BASE_PATH: { text: 'api', source: '--base-path', baseDir: cwd } }
    expect(
      violationsOf({ LOG_LEVEL: 'loud', DATABASE_URL: 'mysql:x' }, { flags }).map((violation) => violation.split(':')[0]),
    ).toEqual(['result_retention in framegate.yaml', 'port in framegate.yaml', '--base-path', 'DATABASE_URL', 'LOG_LEVEL'])
  })

  it('DATABASE_URL takes a PostgreSQL address, and the error for an invalid one does not show its password', () => {
    const { database } = load({
      DATABASE_URL: 'postgres://u:hush@db/framegate',
      DATABASE_POOL: '20',
      DATABASE_MIGRATE: 'command',
    })
    expect(database).toMatchObject({ kind: 'postgres', poolMax: 20, migratesAtStart: false })
    expect(database.kind === 'postgres' && database.url.reveal()).toBe('postgres://u:hush@db/framegate')
    expect(JSON.stringify(database)).not.toContain('hush')
    expect(load({}).database).toEqual({ kind: 'sqlite' })
    expect(load({ DATABASE_URL: 'postgres:///framegate?host=/run/postgresql' }).database).toMatchObject({ kind: 'postgres' })
    for (const url of [
      'mysql://u:hush@db/x',
      'postgres://u:hush@db',
      'u:hush@db/x',
      'postgres://u:hush@@:x/y',
      'postgres:u:hush@db/x',
      // The parser of URLs takes the rest of such a password for the name of the database.
      'postgres://u:1/hush@db/x',
    ]) {
      const [violation = '', ...others] = violationsOf({ DATABASE_URL: url })
      expect([violation.startsWith('DATABASE_URL: must be the address of a PostgreSQL database'), others]).toEqual([true, []])
      expect(violation).not.toContain('hush')
    }
  })

  it('FRAMEGATE_SEAL_KEY takes 32 bytes in base64, and the error for an invalid key does not show it', () => {
    const key = Buffer.alloc(32, 7).toString('base64')
    expect(load({ FRAMEGATE_SEAL_KEY: key }).encryptionKey?.reveal()).toBe(key)
    expect(violationsOf({ FRAMEGATE_SEAL_KEY: 'hush' }).join()).toMatch(
      /^FRAMEGATE_SEAL_KEY: must be 32 bytes in base64(?!.*hush)/,
    )
  })

  it('a misspelled FRAMEGATE_ variable is rejected, and unrelated ones with the prefix are ignored', () => {
    expect(violationsOf({ FRAMEGATE_BOOTSTRAP_KYE: 'x' })).toEqual([
      'FRAMEGATE_BOOTSTRAP_KYE: is not a setting; did you mean FRAMEGATE_BOOTSTRAP_KEY?',
    ])
    const names = { FRAMEGATE_SERVICE_HOST: 'x', FRAMEGATE_PORT_8787_TCP: 'x', FRAMEGATE_URL: 'x', FRAMEGATE_API_KEY: 'x' }
    expect(violationsOf(names)).toEqual([])
  })
})

const s3 = {
  S3_ENDPOINT: 'https://s3.example.com/',
  S3_BUCKET: 'media',
  S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'hush+hush/hush',
}

describe('settings of S3', () => {
  it('S3 needs four settings and has defaults for the others', () => {
    const { media } = load(s3)
    expect(media).toEqual({
      kind: 's3',
      endpoint: 'https://s3.example.com',
      bucket: 'media',
      region: 'us-east-1',
      accessKey: { id: 'AKIDEXAMPLE', secret: expect.anything() },
      addressing: 'path',
      prefix: '',
      delivery: 'redirect',
      publicUrl: null,
    })
    expect(media.kind === 's3' && media.accessKey?.secret.reveal()).toBe('hush+hush/hush')
    expect(JSON.stringify(media)).not.toContain('hush')
  })

  it.each(Object.keys(s3))('S3 without %s is rejected with a one-sentence error that names the setting', (name) => {
    const violations = violationsOf({ ...s3, [name]: '' })
    expect(violations).toEqual([
      expect.stringMatching(new RegExp(`^${name}: is missing; it is required for S3 because S3_[A-Z_]+ is set\\.$`)),
    ])
    expect(violationsOf({ [name]: s3[name as keyof typeof s3] })).toHaveLength(3)
  })

  it('the error for a missing S3 setting uses the name of the setting in the file', () => {
    write('s3_bucket: media\n')
    expect(violationsOf()).toHaveLength(3)
    expect(violationsOf()[0]).toBe('S3_ENDPOINT: is missing; it is required for S3 because s3_bucket in framegate.yaml is set.')
  })

  it('S3 with the credentials of AWS needs no access key, and rejects one', () => {
    const { S3_ENDPOINT, S3_BUCKET } = s3
    const withRole = { S3_ENDPOINT, S3_BUCKET, S3_CREDENTIALS: 'aws' }
    expect(load(withRole).media).toMatchObject({ kind: 's3', bucket: 'media', accessKey: null })
    expect(violationsOf({ ...s3, S3_CREDENTIALS: 'aws' })).toEqual([
      'S3_ACCESS_KEY_ID: must not be set with S3_CREDENTIALS=aws.',
      'S3_SECRET_ACCESS_KEY: must not be set with S3_CREDENTIALS=aws.',
    ])
    expect(violationsOf({ S3_ENDPOINT, S3_CREDENTIALS: 'aws' })).toEqual([
      'S3_BUCKET: is missing; it is required for S3 because S3_ENDPOINT is set.',
    ])
  })

  it.each([
    ['S3_ENDPOINT', 'https://ref.supabase.example/storage/v1/s3/', 'endpoint', 'https://ref.supabase.example/storage/v1/s3'],
    ['S3_REGION', 'auto', 'region', 'auto'],
    ['S3_ADDRESSING', 'virtual-host', 'addressing', 'virtual-host'],
    ['S3_PREFIX', '/framegate/media/', 'prefix', 'framegate/media/'],
    ['S3_PREFIX', '/', 'prefix', ''],
    ['S3_DELIVERY', 'service', 'delivery', 'service'],
    ['S3_PUBLIC_URL', 'https://CDN.example.com/', 'publicUrl', 'https://cdn.example.com'],
  ])('the S3 setting %s=%s is accepted', (name, text, field, value) => {
    expect(load({ ...s3, [name]: text }).media).toHaveProperty(field, value)
  })

  it.each([
    ['S3_ENDPOINT', 's3.example.com', 'must be the address of an S3 service'],
    ['S3_ENDPOINT', 'https://key:hush@s3.example.com', 'must not have a user name or a password'],
    ['S3_ENDPOINT', 'https://s3.example.com/?hush', 'must not have a query'],
    ['S3_BUCKET', 'media/films', 'must be the name of a bucket'],
    ['S3_REGION', 'eu west', 'must be a region'],
    ['S3_CREDENTIALS', 'role', 'must be one of settings, aws'],
    ['S3_ACCESS_KEY_ID', 'two words', 'printable ASCII characters without spaces'],
    ['S3_SECRET_ACCESS_KEY', 'two words', 'printable ASCII characters without spaces'],
    ['S3_ADDRESSING', 'host', 'must be one of path, virtual-host'],
    ['S3_PREFIX', 'a/../b', 'must be a path of letters'],
    ['S3_DELIVERY', 'proxy', 'must be one of redirect, service'],
    ['S3_PUBLIC_URL', 'https://cdn.example.com/media', 'https://cdn.example.com instead of'],
  ])('the S3 setting %s=%s is rejected', (name, text, messagePart) => {
    const violations = violationsOf({ ...s3, [name]: text })
    expect(violations).toEqual([expect.stringMatching(new RegExp(`^${name}: `))])
    expect(violations[0]).toContain(messagePart)
    if (name.includes('KEY')) expect(violations[0]).not.toContain(text)
  })
})

describe('the bootstrap key', () => {
  it('every printable bootstrap key of 16 to 200 characters is accepted from the file and the environment, and never printed', () => {
    const printable = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 16,
      maxLength: 200,
    })
    fc.assert(
      fc.property(printable, (key) => {
        write('bootstrap_key: "${KEY_OF_TEST}"')
        for (const config of [load({ KEY_OF_TEST: key }), load({ KEY_OF_TEST: 'x'.repeat(16), FRAMEGATE_BOOTSTRAP_KEY: key })]) {
          expect(config.bootstrapKey?.reveal()).toBe(key)
          expect(JSON.stringify(config)).not.toContain(key)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('a bootstrap key of digits is kept as written', () => {
    write('bootstrap_key: 00012345678901234567890')
    expect(load().bootstrapKey?.reveal()).toBe('00012345678901234567890')
  })

  it.each(['short', 'x'.repeat(201), 'has a space in the middle', 'ünprintable-in-a-header'])(
    'the bootstrap key %s is rejected, and the error does not quote it',
    (key) => {
      const [violation] = violationsOf({ FRAMEGATE_BOOTSTRAP_KEY: key })
      expect(violation).toBe('FRAMEGATE_BOOTSTRAP_KEY: must be 16 to 200 printable ASCII characters without spaces.')
    },
  )
})

describe('framegate.yaml', () => {
  it('${NAME} in framegate.yaml is replaced from the environment, and unset names are reported', () => {
    write('host: "${MY_HOST}"\nbase_path: /${PREFIX}/api\nlog_level: ${ABSENT}')
    expect(violationsOf({ MY_HOST: '10.1.2.3', PREFIX: 'x' })).toEqual([
      'framegate.yaml: ${ABSENT} is not set in the environment.',
    ])
    expect(load({ MY_HOST: '10.1.2.3', PREFIX: 'x', ABSENT: 'info' })).toMatchObject({ host: '10.1.2.3', basePath: '/x/api' })
  })

  it('a value from the environment cannot change the structure of framegate.yaml', () => {
    write('base_path: ${PREFIX}')
    expect(violationsOf({ PREFIX: '/a\nport: 1' })).toEqual([expect.stringContaining('base_path in framegate.yaml')])
  })

  it('the sections that framegate apply reads are ignored, and a misspelled one is reported', () => {
    write('port: 5\nbrands:\n  - { name: "${NOT_SET}" }\naccounts: what it likes\nprices: []\n')
    expect(load().port).toBe(5)
    write('acounts: []\n')
    expect(violationsOf()).toEqual([expect.stringContaining('did you mean accounts?')])
  })

  it('the error for an unknown key of framegate.yaml names the nearest setting', () => {
    write('data-dir: x\nFRAMEGATE_PORT: 1\nnonsense: 1')
    const [dataDirError, portError, nonsenseError] = violationsOf()
    expect(dataDirError).toBe('data-dir in framegate.yaml: is not a setting; did you mean data_dir?')
    expect(portError).toBe('FRAMEGATE_PORT in framegate.yaml: is not a setting; did you mean port?')
    expect(nonsenseError).toContain('the settings are mode, host, port')
  })

  it.each([
    ['prot', 'port'],
    ['ohst', 'host'],
    ['mdoe', 'mode'],
    ['rloe', 'role'],
    ['bsae_path', 'base_path'],
  ])('the error for the key %s, with two swapped letters, names %s', (written, suggested) => {
    write(`${written}: x`)
    expect(violationsOf()).toEqual([`${written} in framegate.yaml: is not a setting; did you mean ${suggested}?`])
  })

  it('the error for invalid YAML has line and column and does not repeat the contents', () => {
    write('port: 1\nbootstrap_key: "hush-hush-hush\nhost: [')
    const violations = violationsOf()
    expect(violations[0]).toMatch(/^framegate\.yaml, line \d+, column \d+: is not YAML: /)
    expect(violations.join()).not.toContain('hush')
  })

  it('a framegate.yaml that is not a map, has a key twice or is too large is rejected', () => {
    write('- port: 1')
    expect(violationsOf()[0]).toContain('must contain settings')
    write('port: 1\nport: 2')
    expect(violationsOf()[0]).toContain('Map keys must be unique')
    write('#'.repeat(1024 * 1024 + 1))
    expect(violationsOf()[0]).toContain('larger than')
  })

  it.each([
    [
      'with a duplicate among twenty thousand keys',
      `${numberLines(20_000, (i) => `k${i}: 1`)}\nk7: 2`,
      'Map keys must be unique',
    ],
    ['with a hundred thousand keys', numberLines(100_000, (i) => `k${i}: 1`), 'more than 50000 lines'],
    ['whose aliases stand for a billion values', `a0: &a0 [1]\n${numberLines(9, (i) => anchorWithTenAliases(i + 1))}`, 'alias'],
    [
      'whose aliases stand for a million values',
      `a: &a [${'1,'.repeat(20_000)}1]\nroutes: [${'*a,'.repeat(50)}*a]`,
      'its aliases',
    ],
    ['with an alias inside its own anchor', 'routes: &a [*a]', 'an alias refers to a value that contains the alias'],
    ['nested twenty thousand deep', `routes: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'nested too deep'],
    ['with twenty thousand unclosed lists', `routes: ${'['.repeat(20_000)}`, ''],
  ])('a framegate.yaml %s is rejected within seconds', { timeout: 20_000 }, (_, text, messagePart) => {
    write(text)
    expect(violationsOf().join('\n')).toContain(messagePart)
    expect(violationsOf()).not.toEqual([])
  })
})

function anchorWithTenAliases(index: number): string {
  return `a${index}: &a${index} [${Array<string>(10)
    .fill(`*a${index - 1}`)
    .join(', ')}]`
}

function numberLines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n')
}

it('any text of any setting gives a configuration or errors that name the setting', () => {
  fc.assert(
    fc.property(fc.constantFrom(...settingNames), fc.string({ unit: 'binary', maxLength: 60 }), (name, text) => {
      for (const violation of violationsOf({ ...s3, [name]: text })) expect(violation.startsWith(`${name}: `)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

it('any text of framegate.yaml gives a configuration or errors', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'port: 1\n-[]{}&*!|>%@"\'#?,$routes'.split('')), maxLength: 40 }),
      (text) => {
        write(text)
        violationsOf()
      },
    ),
    { numRuns: 300 },
  )
})
