import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { en } from '#contract/language.ts'
import type { CurrentMember } from '#contract/people/people.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'
import { onAccountChange } from '#web/features/account/account-change-broadcast.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { screenPaths } from '#web/paths.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AccountSummaryCards } from './account-summary-cards.tsx'
import { SettingsNavigation, SettingsParentLink } from './settings-navigation.tsx'
import { getSettingsSections, type SettingsSectionDefinition } from './settings-sections.ts'

type Found = { section: SettingsSectionDefinition; page?: { title: string; screen: () => React.ReactNode } }

/** Finds the page of a path below the settings. */
function findSettingsPage(me: CurrentMember, path: string): Found | undefined {
  for (const section of getSettingsSections(me)) {
    if (section.path === path) return { section }
    const page = section.pages?.find((page) => page.path === path)
    if (page) return { section, page: { title: page.title, screen: () => <page.screen /> } }
  }
  return undefined
}

/** Shows the sections beside a section or the account summary; one at a time on a phone. */
export function SettingsScreen() {
  const { '*': path = '' } = useParams()
  const client = useQueryClient()
  useEffect(
    () => onAccountChange(() => void client.invalidateQueries({ queryKey: settingsQueryKeys.all })),
    [client],
  )
  const found = findSettingsPage(useSignedInMember(), path)
  if (path !== '' && !found) return <NotFoundScreen />
  return (
    <div className="mx-auto flex max-w-[972px] flex-col md:grid md:grid-cols-[220px_minmax(0,1fr)] md:grid-rows-[auto_1fr] md:gap-x-7 xl:grid-cols-[264px_minmax(0,640px)] xl:gap-x-14">
      {found ? (
        <>
          <p className="heading mb-4.5 ml-3 text-h1 max-md:hidden">{en('Settings', 'Ajustes')}</p>
          <SettingsNavigation here={found.section.path} />
          <FoundPage {...found} />
        </>
      ) : (
        <>
          <div className="mx-1 mb-3.5 md:mr-0 md:mb-4.5 md:ml-3">
            <PageTitle title={en('Settings', 'Ajustes')} />
          </div>
          <SettingsNavigation />
          <AccountSummaryCards />
        </>
      )}
    </div>
  )
}

function FoundPage({ section, page }: Found) {
  const parent = page
    ? { to: screenPaths.settingsPage(section.path), label: section.label }
    : { to: screenPaths.settings(), label: en('Settings', 'Ajustes') }
  return (
    <div className="md:col-start-2 md:row-span-2 md:row-start-1">
      <SettingsParentLink {...parent} />
      <div className="mx-1 mb-3.5 md:mx-0">
        <PageTitle title={page?.title ?? section.label} />
      </div>
      {page ? page.screen() : <section.screen />}
    </div>
  )
}
