// A program that uses the client that oapi-codegen has generated.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"generated-clients/framegate"
)

var name = os.Getenv("FRAMEGATE_ACCOUNT_NAME")

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("FRAMEGATE_API_KEY"))
		return nil
	}
	client, err := framegate.NewClientWithResponses(os.Getenv("FRAMEGATE_URL"), framegate.WithRequestEditorFn(authorize))
	must(err)

	limit := int64(5)
	models, err := client.ListModelsWithResponse(ctx, &framegate.ListModelsParams{Limit: &limit})
	must(err)
	check("the page of models", models.JSON200 != nil && len(models.JSON200.Items) == 5 && models.JSON200.HasMore)

	var body framegate.SubmitRequest
	must(body.FromImgA50(framegate.ImgA50{Prompt: "a paper boat on a lake"}))
	quote, err := client.QuoteTaskWithResponse(ctx, body)
	must(err)
	check("the quote", quote.JSON200 != nil && quote.JSON200.Available && quote.JSON200.Amount > 0)

	var ids []string
	for _, order := range []string{"one", "two"} {
		idempotencyKey := name + "-" + order
		submitted, err := client.SubmitTaskWithResponse(ctx, &framegate.SubmitTaskParams{IdempotencyKey: &idempotencyKey}, body)
		must(err)
		check("the submitted task", submitted.JSON202 != nil && submitted.JSON202.Amount == quote.JSON200.Amount)
		ids = append([]string{submitted.JSON202.Id}, ids...)
	}
	wait := int64(60)
	for _, id := range ids {
		task, err := client.GetTaskWithResponse(ctx, id, &framegate.GetTaskParams{Wait: &wait})
		must(err)
		check("the completed task", task.JSON200 != nil && task.JSON200.Status == "completed" && task.JSON200.ResultUrl != nil)
	}

	one := int64(1)
	first, err := client.ListTasksWithResponse(ctx, &framegate.ListTasksParams{Limit: &one})
	must(err)
	check("the first page", first.JSON200 != nil && first.JSON200.NextCursor != nil)
	second, err := client.ListTasksWithResponse(ctx, &framegate.ListTasksParams{Limit: &one, Cursor: first.JSON200.NextCursor})
	must(err)
	check("the second page", second.JSON200 != nil && len(second.JSON200.Items) == 1)
	check("the pages", first.JSON200.Items[0].Id == ids[0] && second.JSON200.Items[0].Id == ids[1])

	// A form is written by hand: oapi-codegen leaves its body to the program.
	image, err := os.ReadFile(os.Getenv("FRAMEGATE_IMAGE"))
	must(err)
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "image.png")
	must(err)
	_, err = part.Write(image)
	must(err)
	must(writer.Close())
	asset, err := client.CreateAssetWithBodyWithResponse(ctx, writer.FormDataContentType(), &form)
	must(err)
	check("the asset", asset.JSON201 != nil || asset.JSON200 != nil)
	uri := "data:image/png;base64," + base64.StdEncoding.EncodeToString(image)
	imported, err := client.ImportAssetWithResponse(ctx, framegate.AssetImport{Url: uri})
	must(err)
	check("the import", imported.JSON200 != nil && imported.JSON200.ContentType == "image/png")
	csv, err := client.ExportUsageWithResponse(ctx, nil)
	must(err)
	check("the CSV", strings.HasPrefix(string(csv.Body), "day,"))

	account, err := client.CreateAccountWithResponse(ctx, framegate.AccountCreate{Name: name})
	must(err)
	check("the account", account.JSON201 != nil)
	scopes := []framegate.KeyCreateScopes{"tasks:read"}
	key, err := client.CreateKeyWithResponse(ctx, account.JSON201.Id, framegate.KeyCreate{Scopes: &scopes})
	must(err)
	check("the key", key.JSON201 != nil && strings.HasPrefix(key.JSON201.Key, "fg_live_") && len(key.JSON201.Scopes) == 1)
	granted, err := client.GrantCreditsWithResponse(ctx, account.JSON201.Id, nil, framegate.Grant{Amount: 2.5})
	must(err)
	check("the grant", granted.JSON200 != nil && granted.JSON200.Balance == 2.5)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func check(what string, isRight bool) {
	if !isRight {
		log.Fatal(fmt.Sprintf("%s is not as expected", what))
	}
}
