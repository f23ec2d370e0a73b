import { useState } from 'preact/hooks'

interface ShownItems<Item> {
  items: readonly Item[]
  hasMore: boolean
  isLoading: false
  loadMore: () => void
}

const itemsPerStep = 100

/** Shows the first hundred items of a complete list, and a hundred more at each `loadMore`. */
export function useShown<Item>(all: readonly Item[]): ShownItems<Item> {
  const [count, setCount] = useState(itemsPerStep)
  return {
    items: all.slice(0, count),
    hasMore: all.length > count,
    isLoading: false,
    loadMore: () => setCount(count + itemsPerStep),
  }
}
