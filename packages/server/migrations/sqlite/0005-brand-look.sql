-- Appearance of a brand: a color as #rrggbb, and a logo. The digest is that of the file that the operator uploaded. The logo has
-- a table of its own, because every change of a brand reloads the rows of all brands.
alter table brands add column color text;
alter table brands add column logo_sha256 text;

-- Decoded pixels of a logo: straight RGBA, deflated, in base64.
create table brand_logos (
  brand_no integer primary key references brands (no),
  width integer not null,
  height integer not null,
  pixels text not null
);
