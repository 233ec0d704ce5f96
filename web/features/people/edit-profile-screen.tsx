import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { Navigate, useNavigate, useParams } from 'react-router'
import { bioLength } from '#contract/limits.ts'
import { isMine, type Me } from '#web/features/account/me.ts'
import { useMe } from '#web/features/account/queries.ts'
import { paths } from '#web/paths.ts'
import { AvatarPicker } from '#web/ui/avatar-picker.tsx'
import { Field, TextArea, TextInput } from '#web/ui/field.tsx'
import { FormActions } from '#web/ui/form-actions.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { UploadBar } from '#web/ui/upload-bar.tsx'
import { useDraftForm } from '#web/use-draft-form.ts'
import { useGoBack } from '#web/use-go-back.ts'
import { useUpload } from '#web/use-upload.ts'
import { type ProfileDraft, profileDraft } from './profile-draft.ts'
import { useUpdateProfile } from './saving.ts'

/** Photo, name and bio; username and e-mail are only shown. Only one's own (row PUPD-12). */
export function EditProfileScreen() {
  const { personId = '' } = useParams()
  const me = useMe()
  if (!isMine(me, personId)) return <Navigate to={paths.profile(personId)} replace />
  return (
    <div className="mx-auto max-w-[600px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title="Edit Profile" />
      </div>
      <ProfileForm me={me} />
    </div>
  )
}

function ProfileForm({ me }: { me: Me }) {
  const navigate = useNavigate()
  const goBack = useGoBack(paths.profile(me.$id))
  const upload = useUpload()
  const update = useUpdateProfile(me.$id, upload.send)
  const { name, username, email, bio } = me
  const { register, control, errors, saving, guard, submit, picking } = useDraftForm({
    draft: profileDraft,
    initial: { photo: null, name, username, email, bio } as ProfileDraft,
    picture: 'photo',
    async onSave(values) {
      await update.mutateAsync(values)
      return () => navigate(paths.profile(me.$id), { replace: true })
    },
  })
  const typedBio = useWatch({ control, name: 'bio' })

  return (
    <form noValidate onSubmit={submit} className="card p-5 md:p-8">
      <div className="space-y-[18px] **:scroll-mb-24">
        <Field label="Photo" error={errors.photo?.message}>
          {(field) => (
            <Controller
              control={control}
              name="photo"
              render={({ field: { ref, value, onChange } }) => (
                <AvatarPicker
                  {...field}
                  ref={ref}
                  person={me}
                  file={value}
                  disabled={saving}
                  {...picking(onChange)}
                />
              )}
            />
          )}
        </Field>
        {upload.state.phase !== 'idle' && <UploadBar {...upload.state} onCancel={upload.cancel} />}
        <Field label="Name" error={errors.name?.message}>
          {(field) => <TextInput {...register('name')} {...field} autoComplete="name" />}
        </Field>
        <Field label="Username">
          {(field) => (
            <Locked>
              <TextInput {...field} disabled value={username} readOnly className="pr-12" />
            </Locked>
          )}
        </Field>
        <Field label="Email">
          {(field) => (
            <Locked>
              <TextInput {...field} disabled value={email} readOnly type="email" className="pr-12" />
            </Locked>
          )}
        </Field>
        <Field
          label="Bio"
          error={errors.bio?.message}
          counter={{ length: typedBio.trim().length, max: bioLength }}
        >
          {(field) => <TextArea {...register('bio')} {...field} rows={5} />}
        </Field>
      </div>
      <FormActions submitLabel="Update Profile" saving={saving} onCancel={() => guard.leave(goBack)} />
      {guard.dialog}
    </form>
  )
}

/** A control that is only shown, with the lock that says so. */
function Locked({ children }: { children: ReactNode }) {
  return (
    <div className="relative">
      {children}
      <Lock
        aria-hidden
        size={18}
        strokeWidth={2}
        className="pointer-events-none absolute inset-y-0 right-4 my-auto text-text-3"
      />
    </div>
  )
}
