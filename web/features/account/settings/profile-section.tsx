import { en } from '#contract/language.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { ChangeUsernameForm } from './change-username-form.tsx'

export function ProfileSection() {
  const me = useSignedInMember()
  return (
    <>
      <section className="card p-5">
        <div className="mb-4.5 flex flex-wrap items-center gap-4.5">
          <Avatar person={me} size={96} />
          <div className="min-w-0 flex-[1_1_9rem]">
            <p className="heading text-xl wrap-anywhere">{me.name}</p>
            <p className="truncate text-text-2">@{me.username}</p>
            {me.bio && <p className="mt-1.5 text-label text-text-2 wrap-anywhere">{me.bio}</p>}
          </div>
        </div>
        <div className="flex flex-wrap gap-2.5">
          <ButtonLink to={screenPaths.updateProfile(me.id)} kind="soft">
            {en('Edit Profile', 'Editar perfil')}
          </ButtonLink>
          <ButtonLink to={screenPaths.profile(me.id)} kind="ghost">
            {en('See your profile', 'Ver tu perfil')}
          </ButtonLink>
        </div>
      </section>
      <ChangeUsernameForm />
    </>
  )
}
