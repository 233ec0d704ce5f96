import { useParams } from 'react-router'
import { en } from '#contract/language.ts'
import { SettingsBox, SettingsRowLink } from '#web/features/account/settings/settings-box-and-rows.tsx'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { NotFoundScreen } from '#web/layout/error-page.tsx'
import { SectionsScreen } from '#web/layout/sections-screen.tsx'
import { screenPaths } from '#web/paths.ts'
import { adminSections } from './admin-sections.ts'

export function AdminScreen() {
  const { '*': path = '' } = useParams()
  if (!useSignedInMember().operates) return <NotFoundScreen />
  return (
    <SectionsScreen
      title={en('Administration', 'Administración')}
      sections={adminSections}
      path={path}
      pathOf={(section) => (section ? screenPaths.adminPage(section) : screenPaths.admin())}
    >
      <AdminIndex />
    </SectionsScreen>
  )
}

function AdminIndex() {
  return (
    <>
      <p className="mx-1 mb-4.5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'You run this community. Posts, messages, groups and follows are not shown here. Everything that operators do is recorded.',
          'Tú llevas esta comunidad. Aquí no ves publicaciones, mensajes, grupos ni a quién sigue cada una. Cada acción de una operadora queda registrada.',
        )}
      </p>
      <div className="max-md:hidden">
        <SettingsBox>
          <ul className="divide-y divide-border">
            {adminSections.map(({ path, label, text }) => (
              <SettingsRowLink key={path} to={screenPaths.adminPage(path)} label={label} text={text} />
            ))}
          </ul>
        </SettingsBox>
      </div>
    </>
  )
}
