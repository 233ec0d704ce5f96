import { ShieldCheck } from 'lucide-react'
import { createPortal } from 'react-dom'
import { Link, useLocation } from 'react-router'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'

/** The moderators' sidebar link to reports. Loads after the first page to keep that small. */
export function ModerationLink() {
  const { pathname } = useLocation()
  const place = document.getElementById('moderation-link')
  return (
    place &&
    createPortal(
      <Link
        to={screenPaths.moderation()}
        aria-current={pathname.startsWith(screenPaths.moderation()) ? 'page' : undefined}
        className="relative flex min-h-12 items-center gap-3.5 rounded-input px-3.5 text-name font-[550] text-text-2 transition-colors duration-120 hover:bg-sunken hover:text-text focus-visible:rounded-input aria-[current=page]:bg-brand-soft aria-[current=page]:font-[680] aria-[current=page]:text-brand-text max-xl:min-h-[58px] max-xl:flex-col max-xl:justify-center max-xl:gap-1 max-xl:px-1 max-xl:text-center max-xl:text-micro"
      >
        <ShieldCheck size={22} strokeWidth={1.9} className="flex-none" />
        {en('Moderation', 'Moderación')}
      </Link>,
      place,
    )
  )
}
