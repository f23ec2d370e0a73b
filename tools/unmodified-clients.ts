import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openChatUpstream } from '../packages/server/test/chat/chat-upstream.ts'
import { openResponseCutter } from '../packages/server/test/openai/cut-responses.ts'
import { plainPng } from '../packages/server/test/plain-png.ts'
import {
  findPostgresPrograms,
  startPostgresServer,
  withoutWaitingForDisks,
} from '../packages/server/test/postgres/postgres-server.ts'
import { chatLikeModel } from './client-trials/chat-like-a-model.ts'
import { createPythonEnvironment } from './client-trials/python-environment.ts'
import { runStep } from './client-trials/run-step.ts'
import { startService } from './client-trials/start-service.ts'

/**
 * Runs a scenario against a started service with each unmodified client of OpenAI's API, on SQLite
 * and on PostgreSQL: create a video with a file, poll, download, list in pages, delete, generate
 * images with streaming, chat, embed, handle errors, verify a webhook, and repeat a request whose
 * response was cut. The scenario of a client omits what the client cannot do.
 *
 *   npm run unmodified-clients [-- 'PyPI openai 3.57.0']
 *
 * The clients are installed from their registries. If a registry does not have one, its scenario
 * fails. Without a PostgreSQL on this machine the scenarios run on SQLite only, except in CI, where
 * they fail.
 */
interface Client {
  name: string
  /** Whether the scenario of the client includes a response that is cut. */
  losesResponse: boolean
  install: () => Promise<void>
  run: (environment: Record<string, string>) => Promise<unknown>
}

const scenarioFolder = fileURLToPath(new URL('./unmodified-clients', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-unmodified-clients-'))
const npmFolder = path.join(folder, 'npm')
let npmInstallation: Promise<void> | undefined

const clients: Client[] = [
  npm('openai 6.49.0', 'scenario.mjs', { OPENAI_PACKAGE: 'openai-locked' }),
  npm('openai 7.57.0', 'scenario.mjs', { OPENAI_PACKAGE: 'openai' }),
  npm('@ai-sdk/openai-compatible 3.0.92', 'scenario-ai-sdk.mjs'),
  python('openai', '2.54.0', 'scenario.py'),
  python('openai', '3.57.0', 'scenario.py'),
  python('litellm', '1.110.2', 'scenario_litellm.py'),
  python('standardwebhooks', '1.1.0', 'scenario_standardwebhooks.py'),
]

function npm(name: string, scenario: string, variables: Record<string, string> = {}): Client {
  return {
    name: `npm ${name}`,
    losesResponse: name.startsWith('openai'),
    install: () => (npmInstallation ??= installNpmClients()),
    run: (environment) => runStep(npmFolder, { ...environment, ...variables }, process.execPath, [scenario]),
  }
}

async function installNpmClients(): Promise<void> {
  copyScenarios(npmFolder)
  await runStep(npmFolder, {}, 'npm', ['ci', '--ignore-scripts', '--loglevel', 'error'])
}

function python(name: string, version: string, scenario: string): Client {
  const clientFolder = path.join(folder, `${name}-${version}`)
  const program = path.join(clientFolder, 'venv/bin/python')
  return {
    name: `PyPI ${name} ${version}`,
    losesResponse: name === 'openai',
    async install() {
      copyScenarios(clientFolder)
      await createPythonEnvironment(clientFolder, [`${name}==${version}`])
    },
    // Python keeps the compiled modules for the scenario on the second engine.
    run: (environment) => runStep(clientFolder, { ...environment, PYTHONDONTWRITEBYTECODE: '' }, program, [scenario]),
  }
}

function copyScenarios(to: string): void {
  cpSync(scenarioFolder, to, { recursive: true, filter: (file) => !file.includes('node_modules') })
}

const [chatModel, embeddingModel] = ['house-chat', 'house-embedding']

/** A configuration with a chat model and an embedding model that have routes to an upstream. */
function tokenModelsOn(baseUrl: string): object {
  const price = { per_million_tokens: { input: 1, output: 2 } }
  return {
    models: [
      { id: chatModel, object: 'chat', max_input_tokens: 8_000, max_output_tokens: 1_000, price },
      { id: embeddingModel, object: 'embedding', max_input_tokens: 8_000, price: { per_million_tokens: { input: 1 } } },
    ],
    upstreams: { own: { driver: 'openai', base_url: baseUrl, api_key: 'sk-own' } },
    routes: [chatModel, embeddingModel].map((model) => ({ model, upstream: 'own', upstream_model: 'tiny' })),
  }
}

/** Runs the scenarios one after the other, because each counts the videos that it has created. */
async function runOn(engine: string, selected: readonly Client[], settings: Record<string, string>): Promise<boolean> {
  const engineFolder = path.join(folder, engine)
  mkdirSync(engineFolder)
  await using service = await startService(engineFolder, settings)
  const { port, pathname } = new URL(service.baseUrl)
  await using cutter = await openResponseCutter(Number(port))
  const environment = {
    FRAMEGATE_URL: service.baseUrl,
    FRAMEGATE_API_KEY: service.apiKey,
    FRAMEGATE_CUT_URL: `http://127.0.0.1:${cutter.port}${pathname}`,
    FRAMEGATE_IMAGE: path.join(folder, 'frame.png'),
    FRAMEGATE_CHAT_MODEL: chatModel,
    FRAMEGATE_EMBEDDING_MODEL: embeddingModel,
  }
  let hasPassed = true
  for (const { name, losesResponse, install, run } of selected) {
    let startedMs = 0
    try {
      await install()
      // 80 bytes end within the headers of the response.
      if (losesResponse) cutter.cutAfter(80)
      startedMs = performance.now()
      await run(environment)
      if (losesResponse && cutter.left > 0) throw new Error('no response was cut')
      process.stdout.write(
        `${name} on ${engine}: the scenario passed (${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`,
      )
    } catch (error) {
      hasPassed = false
      process.stdout.write(`FAILED: ${name} on ${engine}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  if (!hasPassed) process.stdout.write(service.log())
  return hasPassed
}

/** Installs a client at its first use. Later uses get the same result. */
function installedOnce(client: Client): Client {
  let installation: Promise<void> | undefined
  return { ...client, install: () => (installation ??= client.install()) }
}

const selectedNames = process.argv.slice(2)
const selected = clients.filter(({ name }) => selectedNames.length === 0 || selectedNames.includes(name)).map(installedOnce)
if (selected.length === 0)
  throw new Error(`There is no such client. The clients are ${clients.map(({ name }) => name).join(', ')}.`)
const programs = findPostgresPrograms()
if (programs === undefined && process.env['CI'] === 'true') throw new Error('There is no PostgreSQL on this machine.')
let hasPassed = true
try {
  await using upstream = await openChatUpstream(chatLikeModel)
  const config = path.join(folder, 'framegate.yaml')
  writeFileSync(config, JSON.stringify(tokenModelsOn(upstream.baseUrl)))
  writeFileSync(path.join(folder, 'frame.png'), plainPng(64, 64))
  const settings = { FRAMEGATE_CONFIG: config, FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' }
  hasPassed = await runOn('SQLite', selected, settings)
  if (programs === undefined) process.stdout.write('There is no PostgreSQL on this machine: the scenarios ran on SQLite only.\n')
  else {
    const server = await startPostgresServer(programs, { settings: withoutWaitingForDisks })
    try {
      hasPassed = (await runOn('PostgreSQL', selected, { ...settings, DATABASE_URL: server.url })) && hasPassed
    } finally {
      await server.remove()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = hasPassed ? 0 : 1
