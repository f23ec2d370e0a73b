-- Assets are images, videos or sound. Facts of a probe: the length and the frame rate of a video, the length of sound. Sound has
-- the width and height 0. `codecs` names the codec of the video track, if any, and that of the audio track: `avc,aac`.
alter table assets add column duration_ms integer;
alter table assets add column frames_per_second real;
alter table assets add column codecs text;
alter table assets add column has_audio integer not null default 0;
