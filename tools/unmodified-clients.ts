import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openChatUpstream } from '../packages/server/test/chat/chat-upstream.ts'
import { openResponseCutter, type ResponseCutter } from '../packages/server/test/openai/cut-responses.ts'
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
 * images with streaming, chat, embed, handle errors, verify a webhook, and retry a request whose
 * response was cut. The scenario of a client omits what the client cannot do.
 *
 *   npm run unmodified-clients [-- 'PyPI openai 3.57.0']
 *
 * The clients are installed from their registries. If a registry does not have one, its scenario
 * fails. Without PostgreSQL on this machine, the scenarios run on SQLite only, except in CI, where
 * the run fails.
 */
interface Client {
  name: string
  /** Whether the scenario of the client includes a retry after a response that is cut. */
  losesResponse: boolean
  /**
   * Whether one run covers all services in FRAMEGATE_SERVICES, because the client takes seconds of
   * CPU time to load.
   */
  isRunOnce: boolean
  install: () => Promise<void>
  run: (environment: Record<string, string>) => Promise<unknown>
}

const scenarioFolder = fileURLToPath(new URL('./unmodified-clients', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-unmodified-clients-'))
const npmFolder = path.join(folder, 'npm')
let npmInstallation: Promise<void> | undefined

const clients: Client[] = [
  npmClient('openai 6.49.0', 'scenario.mjs', { OPENAI_PACKAGE: 'openai-locked' }),
  npmClient('openai 7.57.0', 'scenario.mjs', { OPENAI_PACKAGE: 'openai' }),
  npmClient('@ai-sdk/openai-compatible 3.0.92', 'scenario-ai-sdk.mjs'),
  pythonClient('openai', '2.54.0', 'scenario.py'),
  pythonClient('openai', '3.57.0', 'scenario.py'),
  pythonClient('litellm', '1.110.2', 'scenario_litellm.py'),
  pythonClient('standardwebhooks', '1.1.0', 'scenario_standardwebhooks.py'),
]

function npmClient(name: string, scenario: string, variables: Record<string, string> = {}): Client {
  return {
    name: `npm ${name}`,
    losesResponse: name.startsWith('openai'),
    isRunOnce: false,
    install: () => (npmInstallation ??= installNpmClients()),
    run: (environment) => runStep(npmFolder, { ...environment, ...variables }, process.execPath, [scenario]),
  }
}

async function installNpmClients(): Promise<void> {
  copyScenarios(npmFolder)
  await runStep(npmFolder, {}, 'npm', ['ci', '--ignore-scripts', '--loglevel', 'error'])
}

function pythonClient(name: string, version: string, scenario: string): Client {
  const clientFolder = path.join(folder, `${name}-${version}`)
  const program = path.join(clientFolder, 'venv/bin/python')
  return {
    name: `PyPI ${name} ${version}`,
    losesResponse: name === 'openai',
    isRunOnce: name === 'litellm',
    async install() {
      copyScenarios(clientFolder)
      await createPythonEnvironment(clientFolder, [`${name}==${version}`])
    },
    // Lets Python cache compiled modules for the scenario on the second engine.
    run: (environment) => runStep(clientFolder, { ...environment, PYTHONDONTWRITEBYTECODE: '' }, program, [scenario]),
  }
}

function copyScenarios(targetFolder: string): void {
  cpSync(scenarioFolder, targetFolder, { recursive: true, filter: (file) => !file.includes('node_modules') })
}

const [chatModel, embeddingModel] = ['house-chat', 'house-embedding']

/**
 * Returns a configuration with a chat model and an embedding model, each with a route to an
 * upstream.
 */
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

/** A started service on one engine. */
interface Trial {
  engine: string
  environment: Record<string, string>
  cutter: ResponseCutter
  log: () => string
}

async function startTrial(resources: AsyncDisposableStack, engine: string, settings: Record<string, string>): Promise<Trial> {
  const engineFolder = path.join(folder, engine)
  mkdirSync(engineFolder)
  const service = resources.use(await startService(engineFolder, settings))
  const { port, pathname } = new URL(service.baseUrl)
  const cutter = resources.use(await openResponseCutter(Number(port)))
  const environment = {
    FRAMEGATE_URL: service.baseUrl,
    FRAMEGATE_API_KEY: service.apiKey,
    FRAMEGATE_CUT_URL: `http://127.0.0.1:${cutter.port}${pathname}`,
    FRAMEGATE_IMAGE: path.join(folder, 'frame.png'),
    FRAMEGATE_CHAT_MODEL: chatModel,
    FRAMEGATE_EMBEDDING_MODEL: embeddingModel,
  }
  return { engine, environment, cutter, log: service.log }
}

/** Runs a scenario on each engine, or once for all engines. */
async function tryClient({ name, losesResponse, isRunOnce, install, run }: Client, trials: readonly Trial[]): Promise<boolean> {
  let hasPassed = true
  for (const group of isRunOnce ? [trials] : trials.map((trial) => [trial])) {
    const engines = group.map(({ engine }) => engine).join(' and ')
    let startedMs = 0
    try {
      await install()
      // The first 80 bytes end within the headers of the response.
      if (losesResponse) for (const { cutter } of group) cutter.cutAfter(80)
      startedMs = performance.now()
      const environments = group.map(({ environment }) => environment)
      await run({ ...environments[0], FRAMEGATE_SERVICES: JSON.stringify(environments) })
      if (losesResponse && group.some(({ cutter }) => cutter.left > 0)) throw new Error('no response was cut')
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      process.stdout.write(`${name} on ${engines}: the scenario passed (${seconds} s)\n`)
    } catch (error) {
      hasPassed = false
      process.stdout.write(`FAILED: ${name} on ${engines}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  return hasPassed
}

/** Installs a client on first use. Later calls return the same result. */
function installedOnce(client: Client): Client {
  let installation: Promise<void> | undefined
  return { ...client, install: () => (installation ??= client.install()) }
}

const selectedNames = process.argv.slice(2)
const selected = clients.filter(({ name }) => selectedNames.length === 0 || selectedNames.includes(name)).map(installedOnce)
if (selected.length === 0)
  throw new Error(`There is no client with this name. The clients are ${clients.map(({ name }) => name).join(', ')}.`)
const programs = findPostgresPrograms()
if (programs === undefined && process.env['CI'] === 'true') throw new Error('There is no PostgreSQL on this machine.')
let hasPassed = true
try {
  await using resources = new AsyncDisposableStack()
  const upstream = resources.use(await openChatUpstream(chatLikeModel))
  const config = path.join(folder, 'framegate.yaml')
  writeFileSync(config, JSON.stringify(tokenModelsOn(upstream.baseUrl)))
  writeFileSync(path.join(folder, 'frame.png'), plainPng(64, 64))
  const settings = { FRAMEGATE_CONFIG: config, FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' }
  const trials = [await startTrial(resources, 'SQLite', settings)]
  if (programs === undefined) process.stdout.write('There is no PostgreSQL on this machine: the scenarios run on SQLite only.\n')
  else {
    const server = await startPostgresServer(programs, { settings: withoutWaitingForDisks })
    resources.defer(() => server.remove())
    trials.push(await startTrial(resources, 'PostgreSQL', { ...settings, DATABASE_URL: server.url }))
  }
  // The scenarios run one after the other, because each counts and lists all videos of the service.
  for (const client of selected) hasPassed = (await tryClient(client, trials)) && hasPassed
  if (!hasPassed) for (const { log } of trials) process.stdout.write(log())
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = hasPassed ? 0 : 1
