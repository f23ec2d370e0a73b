import { execFile, type ExecFileOptions } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from './bundle.ts'
import { plainPng } from '../../server/test/plain-png.ts'
import { publishedPackage, type PublishedPackage } from './published-package.ts'
import { startService, type Service } from './service.ts'
import { signedDelivery } from './signed-delivery.ts'

/**
 * Runs one program, `runtimes/end-to-end.js`, with the published package against a started service
 * in every runtime.
 */
const runtimes = fileURLToPath(new URL('runtimes', import.meta.url))
const runMsMax = 60_000

/** Globals that the SDK may rely on in every runtime. */
const webStandards = [
  ...(['AbortController', 'AbortSignal', 'Blob', 'FormData', 'Headers', 'ReadableStream', 'Response'] as const),
  ...(['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa'] as const),
  ...(['clearTimeout', 'crypto', 'fetch', 'performance', 'setTimeout'] as const),
] as const

let service: Service
let published: PublishedPackage
beforeAll(async () => {
  service = await startService()
  // Deno does not write below /dev, where the tests' temporary folder may be.
  published = publishedPackage('/tmp')
  cpSync(join(runtimes, 'end-to-end.js'), join(published.project, 'end-to-end.js'))
}, 120_000)
afterAll(async () => {
  published[Symbol.dispose]()
  await service[Symbol.asyncDispose]()
})

const endToEnd = (saved: 'saved' | 'files_unavailable') => ({
  lastSeen: 'completed',
  retries: ['connection_failed'],
  created: 1,
  contentType: 'image/png',
  isComplete: true,
  breaks: ['connection_failed'],
  isProgressMonotonic: true,
  saved,
  upload: ['frame', true, true],
  streamed: 'failed',
  event: ['task.completed', true],
  webhook: ['task.completed', 'invalid_signature'],
  failure: [true, 'content_policy', 'failed'],
  refusal: [400, 'unknown_parameter', 'seconds', 'string'],
  aborted: 'TimeoutError',
  cancelled: 'cancelled',
})

/**
 * Environment of the program. It is not inherited, so that variables such as FRAMEGATE_URL have no
 * effect.
 */
const bareEnvironment = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }

async function run(program: string, args: string[], options: ExecFileOptions = {}): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: published.project,
    env: bareEnvironment,
    timeout: runMsMax,
    ...options,
    encoding: 'utf8',
  })
  return JSON.parse(stdout.slice(stdout.indexOf('{')))
}

function settingsText(name: string): string {
  const { baseUrl, apiKey } = service
  const image = plainPng(8, 8).toString('base64')
  return JSON.stringify({ baseUrl, apiKey, path: join(published.project, `${name}.png`), image, delivery: signedDelivery() })
}

/** Writes a file that runs the program and prints its result. */
function entryFile(name: string): string {
  const file = `${name}.js`
  writeFileSync(
    join(published.project, file),
    `import * as sdk from '@framegate/sdk'
     import { runEndToEnd } from './end-to-end.js'
     console.log(JSON.stringify(await runEndToEnd(sdk, ${settingsText(name)})))`,
  )
  return file
}

describe('runtimes with files', { timeout: 2 * runMsMax }, () => {
  it("the SDK runs in the project's version of Node", async () => {
    expect(await run(process.execPath, [entryFile('node')])).toEqual(endToEnd('saved'))
    expect(existsSync(join(published.project, 'node.png'))).toBe(true)
  })

  it.runIf(isInstalled('node20/bin/node'))('the SDK runs in the first release of Node 20', async () => {
    expect(await run(findInstalled('node20/bin/node'), [entryFile('node20')])).toEqual(endToEnd('saved'))
  })

  it.runIf(isInstalled('@deno/linux-x64-glibc/deno'))('the SDK runs in Deno with minimal permissions', async () => {
    const { host } = new URL(service.baseUrl)
    const permissions = [`--allow-net=${host}`, `--allow-write=${published.project}`, `--allow-read=${published.project}`]
    const args = ['run', '--no-prompt', '--no-lock', '--node-modules-dir=manual', ...permissions, entryFile('deno')]
    const env = { ...bareEnvironment, DENO_DIR: join(published.project, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
    // Deno itself retries a request after a broken connection. The request has an idempotency key,
    // so it still creates one task.
    expect(await run(findInstalled('@deno/linux-x64-glibc/deno'), args, { env })).toEqual({ ...endToEnd('saved'), retries: [] })
  })

  it.runIf(isInstalled('@oven/bun-linux-x64-baseline/bin/bun'))('the SDK runs in Bun', async () => {
    const args = ['run', '--no-install', entryFile('bun')]
    expect(await run(findInstalled('@oven/bun-linux-x64-baseline/bin/bun'), args)).toEqual(endToEnd('saved'))
  })
})

describe('runtimes without files', { timeout: 2 * runMsMax }, () => {
  it.runIf(isInstalled('@cloudflare/workerd-linux-64/bin/workerd'))('the SDK runs in workerd, an edge runtime', async () => {
    const code = `import * as sdk from '@framegate/sdk'
      import { runEndToEnd } from './end-to-end.js'
      export default { test: async () => console.log(JSON.stringify(await runEndToEnd(sdk, ${settingsText('edge')}))) }`
    const worker = await bundle(published.project, 'edge.js', code, ['workerd', 'worker', 'import'])
    writeFileSync(join(published.project, 'worker.js'), worker)
    writeFileSync(
      join(published.project, 'worker.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
       const config :Workerd.Config = (services = [(name = "main", worker = .worker), (name = "here", network = (allow = ["local"]))]);
       const worker :Workerd.Worker = (
         modules = [(name = "worker.js", esModule = embed "worker.js")],
         compatibilityDate = "2026-11-01",
         globalOutbound = "here",
       );`,
    )
    const args = ['test', 'worker.capnp']
    expect(await run(findInstalled('@cloudflare/workerd-linux-64/bin/workerd'), args)).toEqual(endToEnd('files_unavailable'))
  })

  it('the SDK runs with nothing but web platform APIs', async () => {
    const code = `import * as sdk from '@framegate/sdk'
      import { runEndToEnd } from './end-to-end.js'
      globalThis.outcome = runEndToEnd(sdk, ${settingsText('web')})`
    const script = await bundle(published.project, 'web.js', code, ['browser', 'import'])
    const context = createContext(Object.fromEntries(webStandards.map((name) => [name, globalThis[name]])))
    runInContext(script, context)
    expect(structuredClone(await context['outcome'])).toEqual(endToEnd('files_unavailable'))
  })
})

function findInstalled(program: string): string {
  return join(runtimes, 'node_modules', program)
}

function isInstalled(program: string): boolean {
  return existsSync(findInstalled(program))
}
