provider "aws" {
  region = "eu-central-1"
}

locals {
  common_tags = { project = "site" }
}

resource "aws_vpc" "main" {
  cidr_block           = "10.1.0.0/16"
  enable_dns_support   = true
  enable_dns_hostnames = true

  tags = merge(local.common_tags, { Name = "site" })
}

resource "aws_subnet" "a" {
  vpc_id            = aws_vpc.main.id
  cidr_block        = cidrsubnet(aws_vpc.main.cidr_block, 8, 1)
  availability_zone = "eu-central-1a"
  tags              = merge(local.common_tags, { Name = "site-a" })
}

resource "aws_iam_role" "worker" {
  name = "worker"

  assume_role_policy = <<-POLICY
    {
      "Version": "2012-10-17",
      "Statement": [
        { "Action": "sts:AssumeRole", "Effect": "Allow", "Principal": { "Service": "lambda.amazonaws.com" } }
      ]
    }
  POLICY

  tags = local.common_tags
}

resource "aws_sqs_queue" "jobs" {
  for_each = toset(["mail", "print"])
  name     = "jobs-${each.key}"
}

resource "aws_s3_bucket" "site" {
  bucket = "acme-site-files"
  tags   = local.common_tags
}

resource "aws_s3_bucket_versioning" "site" {
  bucket = aws_s3_bucket.site.id

  versioning_configuration {
    status = "Enabled"
  }
}
