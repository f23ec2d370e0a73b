import { useEffect, useRef } from 'preact/hooks'
import { texts } from '../language/language.ts'

interface MoreButtonProps {
  pages: { hasMore: boolean | null; isLoading: boolean; loadMore: () => void }
  /** Whether to load the next page automatically when the button comes near the viewport. */
  isAutomatic?: boolean
}

/** Button that loads the next page of a list. */
export function MoreButton({ pages, isAutomatic = false }: MoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const loadMore = useRef(pages.loadMore)
  loadMore.current = pages.loadMore
  useEffect(() => {
    if (!isAutomatic || button.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore.current()
      },
      { rootMargin: '800px' },
    )
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isAutomatic, pages.hasMore, pages.isLoading])
  if (pages.hasMore !== true) return null
  return (
    <button ref={button} type="button" class="button more-button" disabled={pages.isLoading} onClick={pages.loadMore}>
      {pages.isLoading ? texts.value.shell.loading : texts.value.actions.showMore}
    </button>
  )
}
