import { useState } from 'preact/hooks'

interface Shown<Item> {
  items: readonly Item[]
  hasMore: boolean
  isLoading: false
  more: () => void
}

const itemsPerStep = 100

/** Limits how many items of a list are shown. The API returns such a list as a whole. */
export function useShown<Item>(all: readonly Item[]): Shown<Item> {
  const [count, setCount] = useState(itemsPerStep)
  return {
    items: all.slice(0, count),
    hasMore: all.length > count,
    isLoading: false,
    more: () => setCount(count + itemsPerStep),
  }
}
