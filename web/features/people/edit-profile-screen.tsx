import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { Navigate, useNavigate, useParams } from 'react-router'
import { en } from '#contract/language.ts'
import { maxBioLength } from '#contract/limits.ts'
import {
  isOwnedBySignedInMember,
  type SignedInMember,
  useSignedInMember,
} from '#web/features/account/signed-in-member.ts'
import { CharacterCounter } from '#web/forms/character-counter.tsx'
import { FormActions } from '#web/forms/form-actions.tsx'
import { LabelledFormField, TextInput } from '#web/forms/labelled-form-field.tsx'
import { PhotoField } from '#web/forms/photo-field.tsx'
import { TextArea } from '#web/forms/text-area.tsx'
import { useEditForm } from '#web/forms/use-edit-form.ts'
import { useImageUpload } from '#web/forms/use-image-uploads.ts'
import { useGoBack } from '#web/navigation/use-go-back.ts'
import { screenPaths } from '#web/paths.ts'
import { AvatarPicker } from '#web/ui/images/avatar-picker.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { type ProfileFormDraft, profileFormSchema } from './profile-form-schema.ts'
import { getReservedNameMessage } from './reserved-name-message.ts'
import { useUpdateProfile } from './use-update-profile.ts'

export function EditProfileScreen() {
  const { personId = '' } = useParams()
  const me = useSignedInMember()
  if (!isOwnedBySignedInMember(me, personId)) return <Navigate to={screenPaths.profile(personId)} replace />
  return (
    <div className="mx-auto max-w-[600px]">
      <div className="mx-1 mt-1 mb-3.5 flex min-h-10 items-center md:mx-0 md:mt-0 md:mb-[22px] md:min-h-11">
        <PageTitle title={en('Edit Profile', 'Editar perfil')} />
      </div>
      <ProfileForm me={me} />
    </div>
  )
}

function ProfileForm({ me }: { me: SignedInMember }) {
  const navigate = useNavigate()
  const goBack = useGoBack(screenPaths.profile(me.$id))
  const upload = useImageUpload()
  const update = useUpdateProfile(me.$id, upload.send)
  const { name, username, email, bio } = me
  const { register, control, errors, saving, guard, submit, picking } = useEditForm({
    draft: profileFormSchema,
    initial: { photo: null, name, username, email, bio } satisfies ProfileFormDraft as ProfileFormDraft,
    picture: 'photo',
    upload,
    sentences: { user_name_reserved: getReservedNameMessage() },
    async onSave(values) {
      await update.mutateAsync(values)
      return () => navigate(screenPaths.profile(me.$id), { replace: true })
    },
  })
  const typedBio = useWatch({ control, name: 'bio' })

  return (
    <form noValidate onSubmit={submit} className="card p-5 md:p-8">
      <div className="space-y-[18px] **:scroll-mb-24">
        <PhotoField
          control={control}
          name="photo"
          error={errors.photo?.message}
          disabled={saving}
          picking={picking}
        >
          {(picker, progress) => (
            <>
              <AvatarPicker {...picker} person={me} />
              {progress && <div className="mt-3">{progress}</div>}
            </>
          )}
        </PhotoField>
        <LabelledFormField label={en('Name', 'Nombre')} error={errors.name?.message}>
          {(field) => <TextInput {...register('name')} {...field} autoComplete="name" />}
        </LabelledFormField>
        <LabelledFormField label={en('Username', 'Nombre de usuaria')}>
          {(field) => (
            <Locked>
              <TextInput {...field} disabled value={username} readOnly className="pr-12" />
            </Locked>
          )}
        </LabelledFormField>
        <LabelledFormField label={en('Email', 'Email')}>
          {(field) => (
            <Locked>
              <TextInput {...field} disabled value={email} readOnly type="email" className="pr-12" />
            </Locked>
          )}
        </LabelledFormField>
        <LabelledFormField
          label={en('Bio', 'Biografía')}
          error={errors.bio?.message}
          counter={<CharacterCounter length={typedBio.trim().length} max={maxBioLength} />}
        >
          {(field) => <TextArea {...register('bio')} {...field} rows={5} />}
        </LabelledFormField>
      </div>
      <FormActions
        submitLabel={en('Update Profile', 'Guardar perfil')}
        saving={saving}
        onCancel={() => guard.leave(goBack)}
      />
      {guard.dialog}
    </form>
  )
}

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
