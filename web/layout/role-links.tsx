import { Building2, type LucideIcon, ShieldCheck } from 'lucide-react'
import { createPortal } from 'react-dom'
import { Link, useLocation } from 'react-router'
import { en } from '#contract/language.ts'
import type { CurrentMember } from '#contract/people/people.ts'
import { screenPaths } from '#web/paths.ts'

type Role = { isFor: (me: CurrentMember) => boolean; to: string; label: string; icon: LucideIcon }

export const roleLinks: readonly Role[] = [
  {
    isFor: (me) => me.moderates === true,
    to: screenPaths.moderation(),
    label: en('Moderation', 'Moderación'),
    icon: ShieldCheck,
  },
  {
    isFor: (me) => me.operates === true,
    to: screenPaths.admin(),
    label: en('Administration', 'Administración'),
    icon: Building2,
  },
]

/** This part loads after the first page, to keep that page small. */
export function RoleLinks({ me }: { me: CurrentMember }) {
  const { pathname } = useLocation()
  const place = document.getElementById('role-links')
  return (
    place &&
    createPortal(
      roleLinks
        .filter(({ isFor }) => isFor(me))
        .map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            aria-current={pathname.split('/')[1] === to.slice(1) ? 'page' : undefined}
            className="relative flex min-h-12 items-center gap-3.5 rounded-input px-3.5 text-name font-[550] text-text-2 transition-colors duration-120 hover:bg-sunken hover:text-text focus-visible:rounded-input aria-[current=page]:bg-brand-soft aria-[current=page]:font-[680] aria-[current=page]:text-brand-text max-xl:min-h-[58px] max-xl:flex-col max-xl:justify-center max-xl:gap-1 max-xl:px-0 max-xl:text-center max-xl:text-micro"
          >
            <Icon size={22} strokeWidth={1.9} className="flex-none" />
            {label}
          </Link>
        )),
      place,
    )
  )
}
