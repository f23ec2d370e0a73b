import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'

/** Files and settings of the image that the last stage of a Dockerfile builds. */
export interface BuiltImage {
  /** Folder that corresponds to `/` in the container. */
  root: string
  workingFolder: string
  environment: Record<string, string>
  entrypoint: string[]
  command: string[]
  healthCheck: string[]
  user: string
}

/**
 * Executes the instructions of this repository's Dockerfile without a container engine. Each stage
 * is a folder, and COPY respects .dockerignore. `npm ci` links the packages that are installed in
 * the build context. Other npm commands run with this machine's npm. All other RUN commands are
 * skipped.
 */
export function buildImageFolder(file: string, context: string, folder: string): BuiltImage {
  const stages = new Map<string, string>()
  const ignoreRules = readIgnoreRules(path.join(context, '.dockerignore'))
  const image: BuiltImage = {
    root: '',
    workingFolder: '/',
    environment: {},
    entrypoint: [],
    command: [],
    healthCheck: [],
    user: 'root',
  }
  for (const { instruction, rest } of instructionsOf(readFileSync(file, 'utf8'))) {
    switch (instruction) {
      case 'FROM': {
        const name = / AS (\S+)$/.exec(rest)?.[1] ?? `stage-${stages.size}`
        Object.assign(image, { root: path.join(folder, name), workingFolder: '/', environment: {} })
        mkdirSync(image.root)
        stages.set(name, image.root)
        break
      }
      case 'WORKDIR':
        image.workingFolder = rest
        mkdirSync(path.join(image.root, rest), { recursive: true })
        break
      case 'COPY':
        copy(rest, image, { stages, context, ignoreRules })
        break
      case 'RUN':
        for (const command of rest.split(' && ')) if (command.startsWith('npm ')) runNpm(command, image, context)
        break
      case 'ENV':
        for (const setting of rest.split(' ')) image.environment[setting.split('=')[0] ?? ''] = setting.split('=')[1] ?? ''
        break
      case 'USER':
        image.user = rest
        break
      case 'HEALTHCHECK':
        image.healthCheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[]
        break
      case 'ENTRYPOINT':
        image.entrypoint = JSON.parse(rest) as string[]
        break
      case 'CMD':
        image.command = JSON.parse(rest) as string[]
        break
      default:
        if (instruction !== 'EXPOSE' && instruction !== 'VOLUME')
          throw new Error(`the instruction ${instruction} is not supported`)
    }
  }
  return image
}

function runNpm(command: string, { root, workingFolder }: BuiltImage, context: string): void {
  const folder = path.join(root, workingFolder)
  if (command.startsWith('npm ci ')) {
    for (const installed of globSync(['node_modules', 'packages/*/node_modules'], { cwd: context })) {
      const link = path.join(folder, installed)
      rmSync(link, { recursive: true, force: true })
      symlinkSync(path.join(context, installed), link)
    }
    return
  }
  const stageCommand = command.replaceAll(/ \/(?=\w)/g, ` ${root}/`)
  const env = { ...process.env, npm_config_prefer_offline: 'true' }
  execFileSync('sh', ['-c', stageCommand], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
}

function instructionsOf(text: string): { instruction: string; rest: string }[] {
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ instruction: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1).trim() }))
}

interface Sources {
  stages: ReadonlyMap<string, string>
  context: string
  ignoreRules: IgnoreRule[]
}

function copy(copyArguments: string, image: BuiltImage, { stages, context, ignoreRules }: Sources): void {
  const words = copyArguments.split(' ')
  const stage = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const target = words.pop() ?? ''
  const targetFolder = path.join(image.root, image.workingFolder, target)
  for (const source of words) {
    if (stage !== undefined) {
      cpSync(path.join(stages.get(stage) ?? '', source), targetFolder, { recursive: true, verbatimSymlinks: true })
      continue
    }
    const sourcePath = path.join(context, source)
    const isFolder = statSync(sourcePath).isDirectory()
    const targetPath = isFolder || !target.endsWith('/') ? targetFolder : path.join(targetFolder, path.basename(source))
    if (!isFolder && isIgnored(source, ignoreRules)) throw new Error(`${source} is not in the context`)
    cpSync(sourcePath, targetPath, {
      recursive: true,
      filter: (entry) => statSync(entry).isDirectory() || !isIgnored(path.relative(context, entry), ignoreRules),
    })
  }
}

/** A line of .dockerignore. */
interface IgnoreRule {
  matches: (file: string) => boolean
  /** Whether matching files are excluded. False for a line that begins with `!`. */
  isIgnored: boolean
}

function readIgnoreRules(file: string): IgnoreRule[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const pattern = line.replace(/^!/, '')
    return {
      matches: (name) => path.matchesGlob(name, pattern) || path.matchesGlob(name, `${pattern}/**`),
      isIgnored: pattern === line,
    }
  })
}

/** Whether .dockerignore excludes the path. The last matching line decides. */
function isIgnored(name: string, ignoreRules: readonly IgnoreRule[]): boolean {
  return ignoreRules.findLast(({ matches }) => matches(name))?.isIgnored ?? false
}

/** Lists the files below a folder, for tests of its contents. */
export function filesIn(folder: string): string[] {
  return globSync('**', { cwd: folder }).filter((name) => statSync(path.join(folder, name)).isFile())
}
