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
 * video with a file, poll, download, list in pages, delete, images with streaming, chats, errors, and a
 * response that is cut.
 *
 *   npm run unmodified-clients [-- 'PyPI openai 3.57.0']
 *
 * The newest clients come from their registries. Where one is not served, the trial fails.
 */
interface Client {
  name: string
  /** Whether its scenario contains a response that is cut. */
  losesResponse: boolean
  run: (folder: string, environment: Record<string, string>) => Promise<void>
}

const own = fileURLToPath(new URL('./unmodified-clients', import.meta.url))

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
      const installed = path.join(folder, 'venv/bin/python')
      const wanted = `${name}==${version}`
      await runStep(folder, {}, installed, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wanted])
      await runStep(folder, environment, installed, [scenario])
    },
  }
}

const chatModel = 'house-chat'

/** A configuration with a chat model of a simulated upstream. */
function chatOn(baseUrl: string): object {
  const price = { per_million_tokens: { input: 1, output: 2 } }
  return {
    models: [{ id: chatModel, object: 'chat', max_input_tokens: 8_000, max_output_tokens: 1_000, price }],
    upstreams: { own: { driver: 'openai', base_url: baseUrl, api_key: openaiKey } },
    routes: [{ model: chatModel, upstream: 'own', upstream_model: 'tiny' }],
  }
}

const chosen = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-unmodified-clients-'))
let isRight = true
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
  // One after the other, because each counts the videos that it has created.
  for (const { name, losesResponse, run } of clients) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const here = mkdtempSync(path.join(folder, 'client-'))
    cpSync(own, here, { recursive: true, filter: (file) => !file.includes('node_modules') })
    // In the head of the response.
    if (losesResponse) cutter.cutAfter(80)
    const startedMs = performance.now()
    try {
      await run(here, environment)
      if (cutter.left > 0) throw new Error('no response was cut')
      process.stdout.write(`${name}: the scenario passed (${Math.round((performance.now() - startedMs) / 1000)} s)\n`)
    } catch (error) {
      isRight = false
      process.stdout.write(`FAILED: ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  if (!isRight) process.stdout.write(service.log())
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = isRight ? 0 : 1
