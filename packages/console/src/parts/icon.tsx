/** SVG paths of the icons, in a box of 24 by 24. */
const paths = {
  models: 'M4 5h16v11H4zM8 20h8M12 16v4',
  gallery: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  tasks: 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01',
  assets: 'M4 7a2 2 0 0 1 2-2h4l2 2h6a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z',
  usage: 'M5 20V11M12 20V4M19 20v-6',
  ledger: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  keys: 'M14.5 9.5a4.5 4.5 0 1 0-4.3 4.5L12 12h2v-2zM14 10l6-6M17 7l2 2',
  webhooks: 'M12 7a3 3 0 1 1 2.6 3L12 15M7 14a3 3 0 1 0 3 4h6M17 14a3 3 0 1 1-2 5',
  overview: 'M4 13a8 8 0 1 1 16 0M12 13l4-4M4 18h16',
  accounts: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20a6 6 0 0 1 12 0M16 4.5a3.5 3.5 0 0 1 0 6M18 14a6 6 0 0 1 3 6',
  brands: 'M4 12V5h7l9 9-7 7zM8 9h.01',
  prices: 'M12 3v18M16 7.5c-1-1.5-7-2-7 1.5 0 4 7 2 7 6 0 3.5-6.5 3-8 1',
  upstreams: 'M4 6h16v5H4zM4 14h16v5H4zM8 8.5h.01M8 16.5h.01',
  routes: 'M6 4v6a4 4 0 0 0 4 4h8M6 20v-6M15 11l3 3-3 3',
  attempts: 'M12 4 3 20h18zM12 10v4M12 17h.01',
  audit: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  live: 'M4 5h16v14H4zM7 9l3 3-3 3M12 15h4',
  books: 'M5 4h6v16H5zM11 4h3v16h-3zM15 5l3-.5 2.5 15-3 .5z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5 10 17 19 7',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V5M7 9l5-5 5 5M5 20h14',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  plus: 'M12 5v14M5 12h14',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  dice: 'M5 5h14v14H5zM9 9h.01M15 15h.01M15 9h.01M9 15h.01',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4',
  spark: 'M12 3l1.8 6.2L20 11l-6.2 1.8L12 19l-1.8-6.2L4 11l6.2-1.8zM19 16v4M17 18h4',
  signOut: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  film: 'M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  text: 'M5 6h14M5 10h14M5 14h9M5 18h6',
  chat: 'M4 5h16v11H9l-5 4z',
  refresh: 'M20 11a8 8 0 0 0-14-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14 4l2-2M20 20v-5h-5',
  up: 'M6 14l6-6 6 6',
  down: 'M6 10l6 6 6-6',
} as const

export type IconName = keyof typeof paths

/** A decorative icon. The text beside it, or the label of its button, conveys the meaning. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
