import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openResponseCutter } from '../packages/server/test/openai/cut-responses.ts'
import { openaiKey, openaiProtocol } from '../packages/server/test/upstreams/openai.protocol.ts'
import { Simulator } from '../packages/server/test/upstreams/simulator.ts'
import { plainPng } from '../packages/server/test/plain-png.ts'
import { runStep } from './client-trials/run-step.ts'
import { startService } from './client-trials/start-service.ts'

/**
 * Runs a scenario against a started service with each unmodified client of OpenAI's API: create a
 * video with a file, poll, download, list in pages, delete, generate images with streaming, chat,
 * handle errors, and repeat a request whose response was cut.
 *
 *   npm run unmodified-clients [-- 'PyPI openai 3.57.0']
 *
 * The clients are installed from their registries. If a registry does not have one, its scenario
 * fails.
 */
interface Client {
  name: string
  /** Whether the scenario of the client includes a response that is cut. */
  losesResponse: boolean
  run: (folder: string, environment: Record<string, string>) => Promise<void>
}

const scenarioFolder = fileURLToPath(new URL('./unmodified-clients', import.meta.url))

const clients: Client[] = [
  {
    name: 'npm openai 7.57.0',
    losesResponse: true,
    async run(folder, environment) {
      await runStep(folder, {}, 'npm', ['ci', '--ignore-scripts', '--loglevel', 'error'])
      await runStep(folder, environment, process.execPath, ['scenario.mjs'])
    },
  },
  python('openai', '2.54.0', 'scenario.py'),
  python('openai', '3.57.0', 'scenario.py'),
  python('litellm', '1.110.2', 'scenario_litellm.py'),
]

function python(name: string, version: string, scenario: string): Client {
  return {
    name: `PyPI ${name} ${version}`,
    losesResponse: name === 'openai',
    async run(folder, environment) {
      await runStep(folder, {}, 'python3', ['-m', 'venv', 'venv'])
      const pythonPath = path.join(folder, 'venv/bin/python')
      const requirement = `${name}==${version}`
      await runStep(folder, {}, pythonPath, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement])
      await runStep(folder, environment, pythonPath, [scenario])
    },
  }
}

const chatModel = 'house-chat'

/** A configuration with a chat model that has a route to a simulated upstream. */
function chatOn(baseUrl: string): object {
  const price = { per_million_tokens: { input: 1, output: 2 } }
  return {
    models: [{ id: chatModel, object: 'chat', max_input_tokens: 8_000, max_output_tokens: 1_000, price }],
    upstreams: { own: { driver: 'openai', base_url: baseUrl, api_key: openaiKey } },
    routes: [{ model: chatModel, upstream: 'own', upstream_model: 'tiny' }],
  }
}

const selectedNames = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-unmodified-clients-'))
let hasPassed = true
{
  await using upstream = await Simulator.open(openaiProtocol)
  const config = path.join(folder, 'framegate.yaml')
  writeFileSync(config, JSON.stringify(chatOn(`${upstream.origin}/v1`)))
  await using service = await startService(folder, { FRAMEGATE_CONFIG: config })
  const { port, pathname } = new URL(service.baseUrl)
  await using cutter = await openResponseCutter(Number(port))
  const frame = path.join(folder, 'frame.png')
  writeFileSync(frame, plainPng(64, 64))
  const environment = {
    FRAMEGATE_URL: service.baseUrl,
    FRAMEGATE_API_KEY: service.apiKey,
    FRAMEGATE_CUT_URL: `http://127.0.0.1:${cutter.port}${pathname}`,
    FRAMEGATE_IMAGE: frame,
    FRAMEGATE_CHAT_MODEL: chatModel,
  }
  // The scenarios run one after the other, because each counts the videos that it has created.
  for (const { name, losesResponse, run } of clients) {
    if (selectedNames.length > 0 && !selectedNames.includes(name)) continue
    const clientFolder = mkdtempSync(path.join(folder, 'client-'))
    cpSync(scenarioFolder, clientFolder, { recursive: true, filter: (file) => !file.includes('node_modules') })
    // 80 bytes end within the headers of the response.
    if (losesResponse) cutter.cutAfter(80)
    const startedMs = performance.now()
    try {
      await run(clientFolder, environment)
      if (cutter.left > 0) throw new Error('no response was cut')
      process.stdout.write(`${name}: the scenario passed (${Math.round((performance.now() - startedMs) / 1000)} s)\n`)
    } catch (error) {
      hasPassed = false
      process.stdout.write(`FAILED: ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  if (!hasPassed) process.stdout.write(service.log())
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = hasPassed ? 0 : 1
