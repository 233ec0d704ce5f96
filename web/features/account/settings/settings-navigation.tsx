import { ArrowLeft, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { getSettingsSections } from './settings-sections.ts'

/**
 * Lists the sections beside their pages; a separate page on a phone.
 * @param props.here the current section's path; undefined on the settings' root
 */
export function SettingsNavigation({ here }: { here?: string }) {
  const me = useSignedInMember()
  return (
    <nav
      aria-label={en('Settings', 'Ajustes')}
      className={cx('max-md:order-2', here !== undefined && 'max-md:hidden')}
    >
      <ul className="max-md:card max-md:divide-y max-md:divide-border max-md:px-2 max-md:py-1 md:flex md:flex-col md:gap-0.5">
        {getSettingsSections(me).map(({ path, label, icon: Icon }) => (
          <li key={path}>
            <Link
              to={screenPaths.settingsPage(path)}
              aria-current={path === here ? 'page' : undefined}
              className="flex min-h-[58px] items-center gap-3 rounded-input px-3 font-[620] hover:bg-sunken aria-[current=page]:bg-brand-soft aria-[current=page]:font-[680] aria-[current=page]:text-brand-text md:min-h-12 md:text-text-2 md:hover:text-text"
            >
              <Icon aria-hidden size={22} strokeWidth={1.9} className="flex-none" />
              <span className="min-w-0 flex-1">{label}</span>
              {path === 'profile' && (
                <span className="truncate text-label text-text-3 md:hidden">@{me.username}</span>
              )}
              <ChevronRight
                aria-hidden
                size={18}
                strokeWidth={2}
                className="flex-none text-text-3 md:hidden"
              />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Leads to the parent page on a phone; wider screens show the sections. */
export function SettingsParentLink({ to, label }: { to: string; label: string }) {
  return (
    <ButtonLink to={to} kind="ghost" className="-ml-3 self-start pl-3 md:hidden">
      <ArrowLeft aria-hidden size={20} strokeWidth={1.9} />
      {label}
    </ButtonLink>
  )
}
