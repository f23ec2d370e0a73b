/**
 * A code block on a page of the documentation. A test runs it, because readers may paste it. The
 * notation of a block determines whether and how it is run:
 *
 *   ```sh                     runs after the blocks above it, with their variables and files
 *   ```json output            output of the block above it; … matches anything
 *   ```text                   not code: a drawing, the synopsis of a command
 *   # video.sh                  in its first line, also with //: the file name of the block
 *   <!-- not run: reason -->  above a block that cannot run here
 */
export interface Snippet {
  /** Position such as `docs/api.md:36`, in a format that editors and test reports recognize. */
  place: string
  language: string
  text: string
  /** File name in the first line of the block; null if there is none. */
  fileName: string | null
  /** The reason why the block is not run; null if it is run. */
  reasonNotRun: string | null
  /** The output shown on the page. */
  output: ShownOutput | null
}

export interface ShownOutput {
  place: string
  language: string
  text: string
}

export interface ReadPage {
  snippets: Snippet[]
  /** Blocks that are neither run nor marked as not run, and invalid marks. */
  errors: string[]
}

/** File extensions of the languages that are run. */
const extensions: Record<string, string> = { sh: 'sh', ts: 'ts', js: 'js', python: 'py', json: 'json', yaml: 'yaml' }
const comparedLanguages = new Set(['json', 'text'])

export function readSnippets(page: string, markdown: string): ReadPage {
  const lines = markdown.split('\n')
  const snippets: Snippet[] = []
  const errors: string[] = []
  let notRunMark: { place: string; reason: string } | null = null

  for (let index = 0; index < lines.length; index++) {
    const location = `${page}:${index + 1}`
    const line = lines[index] ?? ''
    const mark = /^\s*<!-- not run: ?(.*?) ?-->$/.exec(line)
    if (mark !== null) {
      if (!mark[1]) errors.push(`${location}: a block that is not run needs a reason`)
      notRunMark = { place: location, reason: mark[1] || 'no reason' }
      continue
    }
    const fence = /^(\s*)(`{3,})\s*(\S*)\s*(.*?)\s*$/.exec(line)
    if (fence === null) {
      if (notRunMark !== null && line.trim() !== '') {
        errors.push(`${notRunMark.place}: no block follows`)
        notRunMark = null
      }
      continue
    }
    const [, indent = '', ticks = '', language = '', role = ''] = fence
    const end = lines.findIndex((text, lineIndex) => lineIndex > index && text.trim() === ticks)
    if (end < 0) return { snippets, errors: [...errors, `${location}: the block has no closing fence`] }
    const text = lines.slice(index + 1, end).map((inner) => (inner.startsWith(indent) ? inner.slice(indent.length) : inner))
    const block = { place: location, language, text: text.join('\n') }
    const error = role === 'output' ? addOutput(block, snippets) : addSnippet(block, role, notRunMark?.reason ?? null, snippets)
    if (error !== null) errors.push(`${location}: ${error}`)
    notRunMark = null
    index = end
  }
  if (notRunMark !== null) errors.push(`${notRunMark.place}: no block follows`)
  return { snippets, errors }
}

function addSnippet(block: ShownOutput, role: string, reasonNotRun: string | null, snippets: Snippet[]): string | null {
  if (role !== '') return `'${role}' is not supported after the language; only 'output' is`
  if (block.language === 'text') return null
  snippets.push({ ...block, fileName: fileNameOf(block), reasonNotRun, output: null })
  if (reasonNotRun !== null || block.language in extensions) return null
  return block.language === ''
    ? "the block has no language; use 'text' for a block that is not code"
    : `there is no runner for a block of '${block.language}': declare why it is not run`
}

function fileNameOf({ language, text }: ShownOutput): string | null {
  const fileNameMatch = /^(?:#|\/\/) ([\w-]+\.(\w+))/.exec(text)
  const [, name, extension] = fileNameMatch ?? []
  return name !== undefined && extension === extensions[language] ? name : null
}

function addOutput(block: ShownOutput, snippets: Snippet[]): string | null {
  const snippet = snippets.at(-1)
  if (snippet === undefined || snippet.output !== null) return 'no block above has this output'
  if (snippet.reasonNotRun !== null) return 'the block that prints this is not run'
  if (!comparedLanguages.has(block.language)) return `output is 'json' or 'text', not '${block.language}'`
  snippet.output = block
  return null
}
