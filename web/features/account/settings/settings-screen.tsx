import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Navigate, useParams } from 'react-router'
import { en } from '#contract/language.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'
import { onAccountChange } from '#web/features/account/account-change-broadcast.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { roleLinks } from '#web/layout/role-links.tsx'
import { SectionsScreen } from '#web/layout/sections-screen.tsx'
import { screenPaths } from '#web/paths.ts'
import { AccountSummaryCards } from './account-summary-cards.tsx'
import { getSettingsSections } from './settings-sections.ts'

export function SettingsScreen() {
  const { '*': path = '' } = useParams()
  const client = useQueryClient()
  useEffect(
    () => onAccountChange(() => void client.invalidateQueries({ queryKey: settingsQueryKeys.all })),
    [client],
  )
  const me = useSignedInMember()
  if (path === 'community' && me.operates) return <Navigate to={screenPaths.adminPage('community')} replace />
  return (
    <SectionsScreen
      title={en('Settings', 'Ajustes')}
      sections={getSettingsSections(me)}
      links={roleLinks.filter(({ isFor }) => isFor(me))}
      path={path}
      pathOf={(section) => (section ? screenPaths.settingsPage(section) : screenPaths.settings())}
      noteOf={(section) =>
        section === 'profile' && (
          <span className="truncate text-label text-text-3 md:hidden">@{me.username}</span>
        )
      }
    >
      <AccountSummaryCards />
    </SectionsScreen>
  )
}
