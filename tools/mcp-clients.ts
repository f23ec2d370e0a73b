import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainPng } from '../packages/server/test/plain-png.ts'
import { builtLauncher } from './build/built-program.ts'
import { createPythonEnvironment } from './client-trials/python-environment.ts'
import { runStep } from './client-trials/run-step.ts'
import { startService } from './client-trials/start-service.ts'

/**
 * Calls every tool of a started service's MCP endpoint with each official client: both generations
 * of the Node client, over HTTP and with `framegate mcp`, the Python client, and the inspector's
 * command line.
 *
 *   npm run mcp-clients [-- 'PyPI mcp 2.3.0']
 *
 * The clients are installed from their registries, concurrently. If a registry lacks one, its
 * scenario fails.
 */
interface Client {
  name: string
  install: (folder: string) => Promise<unknown>
  run: (folder: string, environment: Record<string, string>) => Promise<unknown>
}

const pythonVersion = '2.3.0'
const scenarioFolder = fileURLToPath(new URL('./mcp-clients', import.meta.url))

const installFromNpm = (folder: string) => runStep(folder, {}, 'npm', ['ci', '--ignore-scripts', '--loglevel', 'error'])

const clients: Client[] = [
  {
    name: 'npm @modelcontextprotocol/sdk and client',
    install: installFromNpm,
    async run(folder, environment) {
      await runStep(folder, environment, process.execPath, ['v1.mjs'])
      await runStep(folder, environment, process.execPath, ['v2.mjs'])
    },
  },
  {
    name: 'npm @modelcontextprotocol/inspector',
    install: (folder) => installFromNpm(path.join(folder, 'inspector')),
    // The inspector writes a file to the home directory.
    run: (folder, environment) =>
      runStep(path.join(folder, 'inspector'), { ...environment, HOME: folder }, process.execPath, ['every-tool.mjs']),
  },
  {
    name: `PyPI mcp ${pythonVersion}`,
    async install(folder) {
      await createPythonEnvironment(folder, [`mcp==${pythonVersion}`])
    },
    run: (folder, environment) => runStep(folder, environment, path.join(folder, 'venv/bin/python'), ['scenario.py']),
  },
]

const selectedNames = process.argv.slice(2)
const selected = clients.filter(({ name }) => selectedNames.length === 0 || selectedNames.includes(name))
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-mcp-clients-'))
let hasPassed = true
{
  await using service = await startService(folder)
  const environment = {
    FRAMEGATE_URL: service.baseUrl,
    FRAMEGATE_API_KEY: service.apiKey,
    FRAMEGATE_CLI: builtLauncher,
    FRAMEGATE_IMAGE_BASE64: plainPng(64, 64).toString('base64'),
  }
  const installed = selected.map(async ({ name, install }) => {
    const clientFolder = mkdtempSync(path.join(folder, 'client-'))
    cpSync(scenarioFolder, clientFolder, { recursive: true, filter: (file) => !file.includes('node_modules') })
    await install(clientFolder)
    return { name, clientFolder }
  })
  const outcomes = await Promise.allSettled(installed)
  // The scenarios run one after the other, because each expects its own tasks in lists.
  for (const [index, { name, run }] of selected.entries()) {
    const outcome = outcomes[index]
    const startedMs = performance.now()
    try {
      if (outcome?.status !== 'fulfilled') throw outcome?.reason
      await run(outcome.value.clientFolder, environment)
      process.stdout.write(`${name}: every tool was called (${Math.round((performance.now() - startedMs) / 1000)} s)\n`)
    } catch (error) {
      hasPassed = false
      process.stdout.write(`FAILED: ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  if (!hasPassed) process.stdout.write(service.log())
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = hasPassed ? 0 : 1
