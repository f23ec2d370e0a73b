-- An asset is an image, a video or a sound file. The new columns contain what a probe of the file
-- finds: the duration of a video or of sound, and the frame rate of a video. Sound has the width
-- and height 0. `codecs` names the codec of the video track, if there is one, and the codec of the
-- audio track, such as `avc,aac`.
alter table assets add column duration_ms bigint;
alter table assets add column frames_per_second double precision;
alter table assets add column codecs text;
alter table assets add column has_audio bigint not null default 0;
