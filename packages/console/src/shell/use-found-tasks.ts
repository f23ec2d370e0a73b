import { useEffect, useState } from 'preact/hooks'
import type { Task } from '../api/types.ts'
import type { ListPage } from '../api/list.ts'
import { queryOf } from '../api/query.ts'
import { useLoad } from '../api/use-load.ts'
import { may } from '../session/session.ts'
import { idRangeOf } from './id-range.ts'

/** Time without a key press after which the search starts. */
const typingPauseMs = 250
const charactersMin = 2
const foundTasksMax = 8
/** Tasks that are compared with the start of an id. */
const comparedTasksMax = 100

interface FoundTasks {
  items: readonly Task[]
  isSearching: boolean
}

/** Finds the account's tasks by words of their prompt, or by the start of their id. */
export function useFoundTasks(words: string): FoundTasks {
  const text = words.trim()
  const [searchText, setSearchText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(text), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  const isSearch = text.length >= charactersMin && may('tasks:read')
  const range = idRangeOf(searchText)
  const query =
    range === null
      ? { q: searchText, limit: String(foundTasksMax) }
      : { created_after: range.fromSeconds, created_before: range.toSeconds, limit: String(comparedTasksMax) }
  const path = isSearch && searchText === text ? `/v2/model-center/tasks${queryOf(query)}` : null
  const { data, isLoading } = useLoad<ListPage<Task>>(path)
  const items = (path === null ? undefined : data?.items) ?? []
  return {
    items: items.filter(({ id }) => range === null || id.startsWith(range.start)).slice(0, foundTasksMax),
    isSearching: isSearch && (path === null || isLoading),
  }
}
