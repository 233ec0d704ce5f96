import {
  Bookmark,
  Compass,
  Flower2,
  House,
  ImagePlus,
  type LucideIcon,
  MessageCircle,
  UsersRound,
} from 'lucide-react'
import { paths } from '#web/paths.ts'

export type Entry = {
  to: string
  label: string
  icon: LucideIcon
  shortLabel?: string
  /** Where pages of this entry have an address that does not begin with its own. */
  also?: string
}

/** The seven entries, the same in the sidebar and in the bottom bar but for one word (spec §2). */
export const entries: readonly Entry[] = [
  { to: paths.home(), label: 'Home', icon: House },
  { to: paths.explore(), label: 'Explore', icon: Compass },
  { to: paths.people(), label: 'People', icon: UsersRound },
  { to: paths.groups(), label: 'Groups', icon: Flower2, also: '/update-group' },
  { to: paths.chat(), label: 'Chat', icon: MessageCircle },
  { to: paths.saved(), label: 'Saved', icon: Bookmark },
  { to: paths.createPost(), label: 'Create Post', shortLabel: 'Create', icon: ImagePlus },
]

/** `aria-current` of an entry: its own page and all below it (row NAV-09). */
export function currentAt(pathname: string, { to, also }: Entry): 'page' | undefined {
  const [, first = ''] = pathname.split('/')
  return [to, also].includes(`/${first}`) ? 'page' : undefined
}
