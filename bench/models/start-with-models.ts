/**
 * Measures the start-up time and the memory of a service with many custom models, whose definitions
 * are in JSON files, in YAML files or in the database.
 *
 *   node bench/models/start-with-models.ts [COUNT]
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'
import { builtLauncher, ensureBuiltProgram } from '../../tools/build/built-program.ts'
import { statFields } from '../http/process-tree.ts'

const modelCount = Number(process.argv[2] ?? 5_000)
/** Number of starts on an existing database. The report shows the one with the least CPU time. */
const laterStartCount = 3
const key = `fg_live_${'k'.repeat(43)}`

function createDefinition(index: number) {
  return {
    id: `bench-model-${index}`,
    object: index % 2 === 0 ? 'image' : 'video',
    title: `Model ${index}`,
    description: 'A model with the parameters that published schemas usually have. '.repeat(3),
    parameters: {
      prompt: {},
      negative_prompt: {},
      aspect_ratio: { enum: ['16:9', '9:16', '1:1', '4:3', '3:4'] },
      resolution: { enum: index % 2 === 0 ? ['1K', '2K'] : ['720p', '1080p'] },
      seed: {},
      guidance_scale: { type: 'number', minimum: 1, maximum: 20, default: 3.5, description: 'How closely to follow the prompt.' },
      num_inference_steps: { type: 'integer', minimum: 1, maximum: 50, default: 28 },
      output_format: { enum: ['jpeg', 'png', 'webp'], default: 'png' },
      loras: {
        type: 'array',
        items: { type: 'object', properties: { path: { type: 'string' }, scale: { type: 'number' } }, required: ['path'] },
      },
    },
    required: ['prompt'],
    price: { per_task: 0.05 },
  }
}

interface Measured {
  readyMs: number
  cpuMs: number
  memoryMiB: number
}

async function startOnce(folder: string): Promise<Measured> {
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, [builtLauncher, 'serve', '--json'], {
    env: {
      ...process.env,
      FRAMEGATE_DATA_DIR: path.join(folder, 'data'),
      FRAMEGATE_CONFIG: path.join(folder, 'framegate.yaml'),
      FRAMEGATE_PORT: '0',
      FRAMEGATE_BOOTSTRAP_KEY: key,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = new Promise((resolve) => void child.once('exit', resolve))
  try {
    for await (const _line of createInterface(child.stdout)) {
      const readyMs = performance.now() - startedAtMs
      const cpuMs = cpuMsOf(child.pid ?? 0)
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      return { readyMs, cpuMs, memoryMiB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 }
    }
    throw new Error('the service ended before it was ready')
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

/** Returns the CPU time of a process in milliseconds. Linux counts it in ticks of 10 ms. */
function cpuMsOf(pid: number): number {
  const [userTicks, systemTicks] = statFields(pid).slice(11, 13)
  return (Number(userTicks) + Number(systemTicks)) * 10
}

async function measure(
  title: string,
  writeFiles: (folder: string) => void,
  fillDatabase: (folder: string) => void = () => {},
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-bench-models-'))
  try {
    mkdirSync(path.join(folder, 'models'))
    writeFileSync(path.join(folder, 'framegate.yaml'), 'shutdown_delay: 0\n')
    writeFiles(folder)
    // The first start creates the database.
    const firstStart = await startOnce(folder)
    fillDatabase(folder)
    const laterStarts: Measured[] = []
    for (let start = 0; start < laterStartCount; start++) laterStarts.push(await startOnce(folder))
    const [leastCpuStart] = laterStarts.toSorted((left, right) => left.cpuMs - right.cpuMs)
    if (leastCpuStart === undefined) return
    console.log(
      `${title.padEnd(34)} first ${Math.round(firstStart.readyMs)} ms (CPU ${firstStart.cpuMs}), then ${Math.round(leastCpuStart.readyMs)} ms (CPU ${leastCpuStart.cpuMs}), ` +
        `${Math.round(leastCpuStart.memoryMiB)} MiB`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await ensureBuiltProgram()
const definitions = Array.from({ length: modelCount }, (_, index) => createDefinition(index))
await measure('no custom models', () => {})
await measure(`${modelCount} models, a JSON file each`, (folder) => {
  for (const definition of definitions)
    writeFileSync(path.join(folder, 'models', `${definition.id}.json`), JSON.stringify(definition))
})
await measure(`${modelCount} models, a YAML file each`, (folder) => {
  for (const definition of definitions) writeFileSync(path.join(folder, 'models', `${definition.id}.yaml`), stringify(definition))
})
await measure(
  `${modelCount} models, in the database`,
  () => {},
  (folder) => {
    const database = new DatabaseSync(path.join(folder, 'data/framegate.db'))
    const insert = database.prepare('insert into stored_models values (?, ?, 0, 0)')
    database.exec('begin')
    for (const definition of definitions) insert.run(definition.id, JSON.stringify(definition))
    database.exec('commit')
    database.close()
  },
)
