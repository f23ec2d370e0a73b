import { useEffect, useRef } from 'preact/hooks'

/** Time without a key press after which the search starts. */
const typingPauseMs = 250
const charactersMax = 200

interface SearchInputProps {
  /** The current search words. */
  value: string
  placeholder: string
  onSearch: (words: string) => void
}

/** Search field. A search is a request to the service, so it starts only when the user pauses. */
export function SearchInput({ value, placeholder, onSearch }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const search = useRef(onSearch)
  search.current = onSearch
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (input.current !== null && input.current.value.trim() !== value) input.current.value = value
  }, [value])
  return (
    <input
      ref={input}
      type="search"
      defaultValue={value}
      maxLength={charactersMax}
      placeholder={placeholder}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => search.current(currentTarget.value.trim()), typingPauseMs)
      }}
    />
  )
}
