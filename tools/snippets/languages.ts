import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { catalogueOf, createCatalogue } from '../../packages/server/src/catalogue/catalogue.ts'
import { compileRequestSchema } from '../../packages/server/src/catalogue/compile-request-schema.ts'
import { defaultFamilies } from '../../packages/server/src/catalogue/default-families.ts'
import { readModelDocuments } from '../../packages/server/src/catalogue/definitions/read-model-documents.ts'
import { loadConfig } from '../../packages/server/src/config/load-config.ts'
import { upstreamDrivers } from '../../packages/server/src/drivers/upstream-drivers.ts'
import { loadRouting } from '../../packages/server/src/routing/configuration/load-routing.ts'
import { modelsForRouting } from '../../packages/server/src/tasks/models-for-routing.ts'
import { programName } from './programs.ts'
import type { Reader } from './reader.ts'
import { runProgram } from './run-program.ts'
import type { Snippet } from './read-snippets.ts'

const runnersByLanguage: Record<string, (snippet: Snippet, reader: Reader) => Promise<string>> = {
  sh: async (snippet, reader) => {
    const script = await reader.fillIn(snippet.text)
    // A later block runs the saved script.
    return snippet.fileName === null ? reader.shell.run(script) : save(snippet, reader)
  },
  ts: (snippet, reader) => runFile(process.execPath, snippet, reader),
  js: (snippet, reader) => runFile(process.execPath, snippet, reader),
  python: (snippet, reader) => runFile('python3', snippet, reader),
  json: tryJson,
  yaml: tryYaml,
}

/**
 * Runs a block as a reader of the page would, and returns its output. A program that a later block
 * runs is only saved.
 */
export async function runSnippet(snippet: Snippet, reader: Reader, laterSnippets: readonly Snippet[] = []): Promise<string> {
  const command = `node ${snippet.fileName}`
  const isRunBelow =
    snippet.output === null && laterSnippets.some(({ language, text }) => language === 'sh' && text.includes(command))
  if (isRunBelow) return save(snippet, reader)
  const runner = runnersByLanguage[snippet.language]
  if (runner === undefined) throw new Error(`there is no runner for a block of '${snippet.language}'`)
  return runner(snippet, reader)
}

/**
 * Returns the reason why Python programs that need a package cannot run, or null if they can. In
 * CI, throws instead, so that no program is skipped.
 */
export function findPythonProblem(library: 'requests' | 'httpx'): string | null {
  const { status } = spawnSync('python3', ['-c', `import ${library}`])
  if (status === 0) return null
  const reason = `python3 with ${library} is not installed: apt-get install python3-${library}, or python3 -m pip install ${library}`
  if (process.env['CI']) throw new Error(reason)
  return reason
}

function save(snippet: Snippet, { cwd }: Reader): string {
  writeFileSync(path.join(cwd, programName(snippet)), `${snippet.text}\n`)
  return ''
}

async function runFile(program: string, snippet: Snippet, reader: Reader): Promise<string> {
  save(snippet, reader)
  return runProgram(program, [programName(snippet)], reader)
}

/**
 * Parses one value, or one value per line. A value with the field `model` is a request, and the
 * service must return a quote for it.
 */
async function tryJson({ text }: Snippet, reader: Reader): Promise<string> {
  for (const value of readJson(text)) {
    if (typeof value !== 'object' || value === null || !('model' in value)) continue
    const response = await reader.server.request('POST', '/v2/model-center/tasks/quote', value)
    if (response.status !== 200) throw new Error(`the service rejects ${JSON.stringify(value)}: ${await response.text()}`)
  }
  return text
}

function readJson(text: string): unknown[] {
  const lines = text.split('\n')
  const hasOneValuePerLine = lines.length > 1 && lines.every((line) => /^\{.*\}$/.test(line))
  return hasOneValuePerLine ? lines.map((line): unknown => JSON.parse(line)) : [JSON.parse(text)]
}

/**
 * Reads a configuration file, including its upstreams and routes, with the code of the service.
 */
async function tryYaml({ text, fileName, place }: Snippet, { cwd }: Reader): Promise<string> {
  if (fileName === null)
    throw new Error("the block has no file name: its first line must be a comment such as '# framegate.yaml'")
  const folder = path.join(cwd, place.replaceAll(/\W/g, '-'))
  mkdirSync(folder)
  writeFileSync(path.join(folder, fileName), text)
  // Commands in later blocks read this copy.
  writeFileSync(path.join(cwd, fileName), text)
  const variables = Array.from(text.matchAll(/\$\{(\w+)\}/g), ([, name = '']) => [name, `fg_live_value-of-${name}-for-the-test`])
  const { routing } = loadConfig({ env: Object.fromEntries(variables), cwd: folder })
  for (const route of Array.isArray(routing.routes) ? routing.routes : []) writeWorkflow(route as ShownRoute, folder)
  const defined = readModelDocuments(
    routing.models,
    builtInModels.map(({ id }) => id),
  )
  if (defined.violations.length > 0) throw new Error(defined.violations.join('\n'))
  const definedModels = defined.models.map(({ definition }) =>
    Object.assign({ versionNo: null }, definition, compileRequestSchema(definition.parameters)),
  )
  loadRouting(routing, modelsForRouting(catalogueOf([...builtInModels, ...definedModels]), upstreamDrivers))
  return text
}

interface ShownRoute {
  workflow?: string
  slots?: Record<string, string>
}

/**
 * Writes the workflow file that a reader would export from ComfyUI, with the slots that the page
 * names.
 */
function writeWorkflow({ workflow, slots = {} }: ShownRoute, folder: string): void {
  if (workflow === undefined) return
  const nodes: Record<string, { class_type: string; inputs: Record<string, number> }> = {}
  for (const [node = '', input = ''] of Object.values(slots).map((slot) => slot.split('.'))) {
    nodes[node] = { class_type: 'Node', inputs: { ...nodes[node]?.inputs, [input]: 24 } }
  }
  writeFileSync(path.join(folder, workflow), JSON.stringify(nodes))
}

const builtInModels = createCatalogue(defaultFamilies).models
