import { useLocation } from 'preact-iso'
import { useEffect, useState } from 'preact/hooks'
import type { Task } from '../api/types.ts'
import { texts } from '../language/language.ts'
import { loadModels, modelPath, models } from '../models/catalogue.ts'
import { containsWords } from '../parts/contains-words.ts'
import { Dialog } from '../parts/dialog.tsx'
import { navigationItems } from './navigation.tsx'
import { useFoundTasks } from './use-found-tasks.ts'

interface Command {
  label: string
  detail: string
  path: string
}

const shownCommandsMax = 12
/** Length of a shortened task id: `task_` and the digits of its time. */
const shownIdLength = 17

/**
 * Dialog that goes to a page, a model, or a task by words of its prompt or its id. Ctrl+K or
 * Command+K opens and closes it.
 */
export function Palette() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((wasOpen) => !wasOpen)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return isOpen ? <PaletteDialog onClose={() => setOpen(false)} /> : null
}

function PaletteDialog({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const t = texts.value
  const [words, setWords] = useState('')
  const [chosenIndex, setChosenIndex] = useState(0)
  useEffect(() => {
    if (models.value === null) void loadModels()
  }, [])
  const matchingCommands = listCommands()
    .filter(({ label, detail }) => containsWords(`${label} ${detail}`, words))
    .slice(0, shownCommandsMax)
  const taskId = /^task_[0-9a-f]{32}$/.exec(words.trim())?.[0]
  const foundTasks = useFoundTasks(taskId === undefined ? words : '')
  const shownCommands =
    taskId === undefined
      ? [...matchingCommands, ...foundTasks.items.map(commandOf)]
      : [{ label: taskId, detail: t.tasks.task, path: pathOf(taskId) }]

  function go(command: Command | undefined): void {
    if (command === undefined) return
    onClose()
    route(command.path)
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosenIndex((previous) => Math.max(0, Math.min(shownCommands.length - 1, previous + step)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      go(shownCommands[chosenIndex])
    }
  }

  return (
    <Dialog title={t.palette.title} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={shownCommands[chosenIndex] === undefined ? undefined : `palette-${chosenIndex}`}
        aria-label={t.palette.hint}
        placeholder={t.palette.hint}
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value)
          setChosenIndex(0)
        }}
        onKeyDown={press}
      />
      <ul class="palette-list" id="palette-list" role="listbox" aria-label={t.palette.title}>
        {shownCommands.map((command, index) => (
          <li
            key={command.path}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosenIndex}
            onClick={() => go(command)}
          >
            <span class="palette-label" dir="auto">
              {command.label}
            </span>
            <span class="muted">{command.detail}</span>
          </li>
        ))}
      </ul>
      {shownCommands.length === 0 && !foundTasks.isSearching && <p class="muted">{t.palette.nothing}</p>}
    </Dialog>
  )
}

function commandOf({ id, prompt }: Task): Command {
  const t = texts.value.tasks
  return { label: prompt ?? t.noPrompt, detail: `${t.task} ${id.slice(0, shownIdLength)}…`, path: pathOf(id) }
}

function pathOf(taskId: string): string {
  return `/console/tasks/${taskId}`
}

function listCommands(): readonly Command[] {
  const t = texts.value
  const { account, operator } = navigationItems()
  return [
    ...[...account, ...operator].map(({ name, path }) => ({ label: t.navigation[name], detail: t.palette.page, path })),
    ...(models.value ?? []).map(({ id, title }) => ({ label: title, detail: id, path: modelPath(id) })),
  ]
}
